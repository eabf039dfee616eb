#include "ir/program_parser.h"

#include <algorithm>

#include "ir/declaration_parser.h"
#include "ir/stmt_parser.h"

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

  TokenStream& tokens_;
  Program program_;
  Scope scope_;
  NodeBudget budget_;
  ExprParser exprs_{tokens_, scope_, program_.exprs, budget_};
};

}  // namespace

Expected<Program> read_program(TokenStream& tokens) { return ProgramParser(tokens).parse(); }

}  // namespace vyre::ir
