#include "ir/text/sequence_parser.h"

#include <algorithm>

#include "base/text.h"
#include "ir/text/declaration_parser.h"

namespace vyre::ir {
namespace {

class SequenceParser {
 public:
  SequenceParser(TokenStream& tokens, std::vector<Program> programs) : tokens_(tokens) {
    sequence_.programs = std::move(programs);
  }

  Expected<SequenceDef> parse() {
    VYRE_TRY_VOID(tokens_.expect("sequence"));
    VYRE_TRY(sequence_.name, tokens_.expect_name("the name of the sequence"));
    VYRE_TRY_VOID(tokens_.expect("{"));
    DeclarationParser declarations(tokens_, scope_, exprs_, sequence_.symbols, sequence_.buffers,
                                   "scratch");
    for (;;) {
      VYRE_TRY(const bool found, declarations.parse());
      if (!found) break;
    }
    while (tokens_.peek().is("run")) VYRE_TRY_VOID(step());
    if (tokens_.peek().is("repeat")) VYRE_TRY_VOID(repeat());
    if (!tokens_.peek().is("}")) return tokens_.expected("'run', 'repeat' or '}'");
    tokens_.take();
    return std::move(sequence_);
  }

 private:
  // `run NAME(buffer, ...; symbol = value, ...) when condition`
  Expected<void> step() {
    const Token at = tokens_.take();
    if (sequence_.steps.size() >= Limits::kSteps) {
      return error_at(at, "more than {} steps", Limits::kSteps);
    }
    Step step;
    VYRE_TRY(step.program, program());
    VYRE_TRY_VOID(tokens_.expect("("));
    while (!tokens_.peek().is(")") && !tokens_.peek().is(";")) {
      VYRE_TRY(const Named buffer, exprs_.buffer());
      step.buffers.push_back(buffer.index);
      if (!tokens_.take_if(",")) break;
    }
    VYRE_TRY_VOID(values(step));
    VYRE_TRY_VOID(tokens_.expect(")"));
    if (tokens_.take_if("when")) {
      VYRE_TRY(step.when, exprs_.parse());
    }
    sequence_.steps.push_back(std::move(step));
    return {};
  }

  Expected<std::uint32_t> program() {
    const Token at = tokens_.peek();
    VYRE_TRY(const std::string name, tokens_.expect_name("the name of a program"));
    const auto it = std::ranges::find(sequence_.programs, name, &Program::name);
    if (it != sequence_.programs.end()) {
      return static_cast<std::uint32_t>(it - sequence_.programs.begin());
    }
    std::vector<std::string> known;
    for (const Program& program : sequence_.programs) known.push_back(program.name);
    return error_at(at, "unknown program {}{}", quote(name), did_you_mean(name, known));
  }

  // `; n = m, a = 2f`: shapes that are left out are found from the buffers.
  Expected<void> values(Step& step) {
    std::vector<std::string> names;
    for (const Symbol& symbol : sequence_.programs[step.program].symbols) {
      if (symbol.kind != SymbolKind::tunable) names.push_back(symbol.name);
    }
    step.symbols.assign(names.size(), kNone);
    if (!tokens_.take_if(";")) return {};
    do {
      const Token at = tokens_.peek();
      VYRE_TRY(const std::string name, tokens_.expect_name("a shape or scalar of the program"));
      const auto found = std::ranges::find(names, name);
      if (found == names.end()) {
        return error_at(at, "the program has no shape or scalar {}{}", quote(name),
                        did_you_mean(name, names));
      }
      ExprId& value = step.symbols[static_cast<std::size_t>(found - names.begin())];
      if (value != kNone) return error_at(at, "{} is given twice", quote(name));
      VYRE_TRY_VOID(tokens_.expect("="));
      VYRE_TRY(value, exprs_.parse());
    } while (tokens_.take_if(","));
    return {};
  }

  // `repeat 0 .. 3 until flag limit 50`
  Expected<void> repeat() {
    tokens_.take();
    Repeat repeat;
    VYRE_TRY(repeat.first, tokens_.expect_count("the number of the first step"));
    VYRE_TRY_VOID(tokens_.expect(".."));
    VYRE_TRY(repeat.last, tokens_.expect_count("the number behind the last step"));
    VYRE_TRY_VOID(tokens_.expect("until"));
    VYRE_TRY(const Named until, exprs_.buffer());
    repeat.until = until.index;
    VYRE_TRY_VOID(tokens_.expect("limit"));
    VYRE_TRY(repeat.limit, tokens_.expect_count("a number of rounds"));
    sequence_.repeat = repeat;
    return {};
  }

  TokenStream& tokens_;
  SequenceDef sequence_;
  Scope scope_;
  NodeBudget budget_;
  ExprParser exprs_{tokens_, scope_, sequence_.exprs, budget_};
};

}  // namespace

Expected<SequenceDef> read_sequence(TokenStream& tokens, std::vector<Program> programs) {
  return SequenceParser(tokens, std::move(programs)).parse();
}

}  // namespace vyre::ir
