#include "ir/validate/check_bounds.h"

#include "base/text.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"

namespace vyre::ir {
namespace {

// Accesses that are outside their buffer in every run: only constants count, no default of a
// tunable, which the tuner may change.
class Accesses {
 public:
  explicit Accesses(Context& context) : context_(context), program_(context.program) {
    for (const Buffer& buffer : program_.buffers) {
      lengths_.push_back(fold(program_, buffer.length, {}));
    }
  }

  void check() {
    for (const ExprId id : context_.exprs) {
      const Expr& e = program_.exprs[id];
      if (e.op == Op::load) access(context_.owners[id], e.index, e.args[0], e.type.width);
    }
    for (const StmtId id : context_.stmts) {
      const Stmt& s = program_.stmts[id];
      if (s.kind != StmtKind::store && s.kind != StmtKind::atomic) continue;
      access({Part::body, id}, s.buffer, s.args[0], program_.exprs[s.args[1]].type.width);
    }
  }

 private:
  void access(Place place, std::uint32_t buffer, ExprId index, std::uint32_t width) {
    if (context_.full()) return;
    const auto at = fold(program_, index, {});
    if (!at) return;
    const std::string name = quote(program_.buffers[buffer].name);
    if (is_negative(program_.exprs[index].type.scalar, *at)) {
      return context_.report(place, "V080", "the index {} into {} is negative; raise it",
                             context_.show(index), name);
    }
    const auto length = lengths_[buffer];
    if (!length || *at < *length / width) return;
    context_.report(place, "V080", "the index {} is outside {}, which has {} elements; lower it{}",
                    context_.show(index), name, *length,
                    width == 1 ? "" : fmt::format(" (it counts in steps of {})", width));
  }

  static bool is_negative(Scalar scalar, std::uint64_t bits) {
    if (scalar == Scalar::i32) return static_cast<std::int32_t>(bits) < 0;
    return scalar == Scalar::i64 && static_cast<std::int64_t>(bits) < 0;
  }

  Context& context_;
  const Program& program_;
  std::vector<std::optional<std::uint64_t>> lengths_;
};

}  // namespace

void check_bounds(Context& context) { Accesses(context).check(); }

}  // namespace vyre::ir
