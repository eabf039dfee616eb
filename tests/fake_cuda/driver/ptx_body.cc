#include "fake_cuda/driver/ptx_body.h"

#include "fake_cuda/driver/ptx_operand.h"
#include "fake_cuda/driver/ptx_scopes.h"
#include "fake_cuda/driver/ptx_variable.h"

namespace fake_cuda {
namespace {

constexpr std::size_t kDeepest = 64;

class BodyParser {
 public:
  BodyParser(Cursor& cursor, const GlobalNames& globals, Function& function)
      : cursor_(cursor), globals_(globals), function_(function), scopes_(function) {
    for (const Variable& variable : function.variables) scopes_.declare(variable);
  }

  Result<void> run() {
    FAKE_CUDA_TRY_VOID(cursor_.expect("{"));
    while (!cursor_.is("}") || scopes_.depth() > 1) {
      if (cursor_.at_end()) return wrong_at(cursor_.line(), "a function has no end");
      FAKE_CUDA_TRY_VOID(item());
    }
    cursor_.take();
    return {};
  }

 private:
  Result<void> item() {
    if (cursor_.take_if("{")) {
      scopes_.open();
      if (scopes_.depth() > kDeepest)
        return wrong_at(cursor_.line(), "braces are nested too deeply");
      return {};
    }
    if (cursor_.take_if("}")) {
      scopes_.close();
      return {};
    }
    if (cursor_.take_if(";")) return {};
    if (cursor_.is_directive()) return directive();
    if (cursor_.peek().kind == TokenKind::kWord && cursor_.peek(1).text == ":") return label();
    return statement();
  }

  Result<void> directive() {
    if (cursor_.is(".loc") || cursor_.is(".file")) {
      cursor_.skip_line();
      return {};
    }
    if (cursor_.is(".pragma")) {
      cursor_.skip_statement();
      return {};
    }
    const int line = cursor_.line();
    FAKE_CUDA_TRY(const std::string word, cursor_.word());
    if (word == ".reg") return registers();
    const auto space = space_of(std::string_view(word).substr(1));
    if (!space) return wrong_at(line, "unknown directive '" + word + "'");
    FAKE_CUDA_TRY(Variable variable, parse_variable(cursor_, *space));
    FAKE_CUDA_TRY_VOID(cursor_.expect(";"));
    return declare(std::move(variable));
  }

  Result<void> declare(Variable variable) {
    if (variable.space == Space::kGlobal || variable.space == Space::kConst) {
      return wrong_at(cursor_.line(), "'" + variable.name + "' must stand outside of functions");
    }
    if (variable.space == Space::kParam) {
      FAKE_CUDA_TRY_VOID(place(variable, function_.param_bytes));
    } else if (variable.space == Space::kLocal) {
      FAKE_CUDA_TRY_VOID(place(variable, function_.local_bytes));
    }
    function_.variables.push_back(std::move(variable));
    scopes_.declare(function_.variables.back());
    return {};
  }

  Result<void> registers() {
    const int line = cursor_.line();
    FAKE_CUDA_TRY(const std::string word, cursor_.word());
    const auto type = type_of(std::string_view(word).substr(1));
    if (!type) return wrong_at(line, "unknown type '" + word + "' of a register");
    do {
      FAKE_CUDA_TRY(const std::string name, cursor_.word());
      if (cursor_.take_if("<")) {
        FAKE_CUDA_TRY(const std::uint64_t count, cursor_.integer());
        FAKE_CUDA_TRY_VOID(cursor_.expect(">"));
        scopes_.declare_range(name, count, *type);
      } else {
        scopes_.declare(name, *type);
      }
    } while (cursor_.take_if(","));
    return cursor_.expect(";");
  }

  Result<void> label() {
    FAKE_CUDA_TRY(const std::string name, cursor_.word());
    cursor_.take();
    if (cursor_.is(".callprototype") || cursor_.is(".calltargets")) {
      cursor_.skip_statement();
      return {};
    }
    if (cursor_.take_if(".branchtargets")) {
      std::vector<std::string>& targets = function_.branch_targets[{scopes_.current(), name}];
      do {
        FAKE_CUDA_TRY(std::string target, cursor_.word());
        targets.push_back(std::move(target));
      } while (cursor_.take_if(","));
      return cursor_.expect(";");
    }
    function_.labels[{scopes_.current(), name}] =
        static_cast<std::uint32_t>(function_.statements.size());
    return {};
  }

  Result<void> statement() {
    Statement statement;
    statement.line = cursor_.line();
    statement.scope = scopes_.current();
    OperandParser operands(cursor_, globals_, scopes_);
    if (cursor_.take_if("@")) {
      FAKE_CUDA_TRY(const Operand guard, operands.one());
      if (guard.kind != OperandKind::kRegister) {
        return wrong_at(statement.line, "a guard must be a predicate");
      }
      statement.predicate = guard.slot;
      statement.negated = guard.negated;
    }
    FAKE_CUDA_TRY(statement.opcode, cursor_.word());
    if (!cursor_.is(";")) {
      do {
        Result<Operand> operand = operands.one();
        if (!operand) {
          return std::unexpected(operand.error() + ", an operand of '" + statement.opcode + "'");
        }
        statement.operands.push_back(*std::move(operand));
      } while (cursor_.take_if(","));
    }
    function_.statements.push_back(std::move(statement));
    return cursor_.expect(";");
  }

  Cursor& cursor_;
  const GlobalNames& globals_;
  Function& function_;
  Scopes scopes_;
};

}  // namespace

Result<void> parse_body(Cursor& cursor, const GlobalNames& globals, Function& function) {
  return BodyParser(cursor, globals, function).run();
}

}  // namespace fake_cuda
