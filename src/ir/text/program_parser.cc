#include "ir/text/program_parser.h"

#include <algorithm>

#include "ir/source.h"
#include "ir/text/declaration_parser.h"
#include "ir/text/stmt_parser.h"

namespace vyre::ir {
namespace {

class ProgramParser {
 public:
  explicit ProgramParser(TokenStream& tokens) : tokens_(tokens) {}

  Expected<Program> parse() {
    VYRE_TRY_VOID(tokens_.expect("program"));
    VYRE_TRY(program_.name, tokens_.expect_name("the name of the program"));
    VYRE_TRY_VOID(tokens_.expect("{"));
    VYRE_TRY_VOID(declarations());
    if (tokens_.peek().is("source")) VYRE_TRY_VOID(source());
    VYRE_TRY(program_.body, StmtParser(tokens_, scope_, exprs_, budget_, program_).statements());
    VYRE_TRY_VOID(tokens_.expect("}"));
    return std::move(program_);
  }

 private:
  Expected<void> declarations() {
    DeclarationParser parser(tokens_, scope_, exprs_, program_.symbols, program_.buffers,
                             "private");
    for (;;) {
      VYRE_TRY(const bool found, parser.parse());
      if (found) continue;
      if (tokens_.peek().is("workgroup")) {
        VYRE_TRY_VOID(axes(program_.workgroup));
      } else if (tokens_.peek().is("grid")) {
        VYRE_TRY_VOID(axes(program_.grid));
      } else {
        return {};
      }
    }
  }

  // `[256u, _, 2u]`: up to three axes, `_` for one left open.
  Expected<void> axes(std::array<ExprId, 3>& axes) {
    const Token at = tokens_.take();
    const auto is_set = [](ExprId id) { return id != kNone; };
    if (std::ranges::any_of(axes, is_set)) {
      return error_at(at, "'{}' is given twice", at.text);
    }
    VYRE_TRY_VOID(tokens_.expect("["));
    for (std::size_t i = 0; i < 3; ++i) {
      if (!tokens_.take_if("_")) {
        VYRE_TRY(axes[i], exprs_.parse());
      }
      if (i < 2 && !tokens_.take_if(",")) break;
    }
    VYRE_TRY_VOID(tokens_.expect("]"));
    return {};
  }

  // `source cuda "entry"(x, n: 1, f = "symbol") options "..." file "..."`, then the text, a string
  // for each line.
  Expected<void> source() {
    tokens_.take();
    Source source;
    const Token at = tokens_.peek();
    const auto language = find_language(at.text);
    if (!language) return tokens_.expected("a language (opencl_c, cuda, hip, glsl)");
    source.language = *language;
    tokens_.take();
    VYRE_TRY(source.entry, tokens_.expect_string("the name of the kernel function in quotes"));
    VYRE_TRY(source.arguments, arguments());
    if (tokens_.take_if("options")) {
      VYRE_TRY(source.options, tokens_.expect_string("options in quotes"));
    }
    if (tokens_.take_if("file")) {
      VYRE_TRY(source.file, tokens_.expect_string("the name of the source's file in quotes"));
    }
    VYRE_TRY(source.text, tokens_.expect_string("the first line of the source in quotes"));
    while (tokens_.peek().kind == TokenKind::string) {
      VYRE_TRY(const std::string line, tokens_.expect_string("a line of the source"));
      source.text += '\n' + line;
    }
    program_.source = std::move(source);
    return {};
  }

  Expected<std::vector<Source::Argument>> arguments() {
    std::vector<Source::Argument> out;
    VYRE_TRY_VOID(tokens_.expect("("));
    while (!tokens_.peek().is(")")) {
      Source::Argument& argument = out.emplace_back();
      VYRE_TRY(argument.name, tokens_.expect_name("the name of an argument"));
      if (tokens_.take_if(":")) {
        VYRE_TRY(argument.bytes, tokens_.expect_count("how many bytes"));
      }
      if (tokens_.take_if("=")) {
        VYRE_TRY(argument.symbol, tokens_.expect_string("the name of a symbol in quotes"));
      }
      if (!tokens_.take_if(",")) break;
    }
    VYRE_TRY_VOID(tokens_.expect(")"));
    return out;
  }

  TokenStream& tokens_;
  Program program_;
  Scope scope_;
  NodeBudget budget_;
  ExprParser exprs_{tokens_, scope_, program_.exprs, budget_};
};

}  // namespace

Expected<Program> read_program(TokenStream& tokens) { return ProgramParser(tokens).parse(); }

}  // namespace vyre::ir
