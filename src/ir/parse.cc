#include "ir/program_parser.h"
#include "ir/sequence_of.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

Expected<void> check_size(std::string_view text) {
  if (text.size() <= Limits::kTextBytes) return {};
  return bad_inputs("the text of a program has {} bytes, more than the {} allowed", text.size(),
                    Limits::kTextBytes);
}

Expected<void> expect_end(const TokenStream& tokens) {
  if (tokens.peek().kind == TokenKind::end) return {};
  return tokens.expected("the end of the text");
}

}  // namespace

Expected<Program> parse_program(std::string_view text) {
  VYRE_TRY_VOID(check_size(text));
  TokenStream tokens(text);
  VYRE_TRY(Program program, read_program(tokens));
  VYRE_TRY_VOID(expect_end(tokens));
  return program;
}

Expected<SequenceDef> parse(std::string_view text) {
  VYRE_TRY_VOID(check_size(text));
  TokenStream tokens(text);
  std::vector<Program> programs;
  while (tokens.peek().is("program")) {
    if (programs.size() >= Limits::kSteps) {
      return error_at(tokens.peek(), "more than {} programs", Limits::kSteps);
    }
    VYRE_TRY(Program program, read_program(tokens));
    programs.push_back(std::move(program));
  }
  if (programs.empty() && !tokens.peek().is("sequence")) {
    return tokens.expected("'program' or 'sequence'");
  }
  if (programs.size() == 1 && tokens.peek().kind == TokenKind::end) {
    return sequence_of(std::move(programs[0]));
  }
  if (!tokens.peek().is("sequence")) return tokens.expected("'program' or 'sequence'");
  VYRE_TRY(SequenceDef sequence, read_sequence(tokens, std::move(programs)));
  VYRE_TRY_VOID(expect_end(tokens));
  return sequence;
}

}  // namespace vyre::ir
