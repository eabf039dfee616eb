#include "ir/validate/check_bounds.h"

#include "base/text.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"

namespace vyre::ir {
namespace {

// Finds accesses that are outside their buffer in every run. Only constants count: the default of a
// tunable does not, because the tuner may change it.
class Accesses {
 public:
  explicit Accesses(Inspection& inspection)
      : inspection_(inspection), program_(inspection.program) {
    for (const Buffer& buffer : program_.buffers) {
      lengths_.push_back(fold(program_, buffer.length, {}));
    }
  }

  void check() {
    for (const ExprId id : inspection_.exprs) {
      const Expr& e = program_.exprs[id];
      if (e.op == Op::load) access(inspection_.owners[id], e.index, e.args[0], e.type.width);
    }
    for (const StmtId id : inspection_.stmts) {
      const Stmt& s = program_.stmts[id];
      if (s.kind != StmtKind::store && s.kind != StmtKind::atomic) continue;
      access({Part::body, id}, s.buffer, s.args[0], program_.exprs[s.args[1]].type.width);
    }
  }

 private:
  void access(Place place, std::uint32_t buffer, ExprId index, std::uint32_t width) {
    if (inspection_.full()) return;
    const auto at = fold(program_, index, {});
    if (!at) return;
    const std::string name = quote(program_.buffers[buffer].name);
    if (is_negative(program_.exprs[index].type.scalar, *at)) {
      return inspection_.report(place, "V080", "the index {} into {} is negative; raise it",
                                inspection_.show(index), name);
    }
    const auto length = lengths_[buffer];
    if (!length || *at < *length / width) return;
    inspection_.report(place, "V080",
                       "the index {} is outside {}, which has {} elements; lower it{}",
                       inspection_.show(index), name, *length,
                       width == 1 ? "" : fmt::format(" (it counts in steps of {})", width));
  }

  static bool is_negative(Scalar scalar, std::uint64_t bits) {
    if (scalar == Scalar::i32) return static_cast<std::int32_t>(bits) < 0;
    return scalar == Scalar::i64 && static_cast<std::int64_t>(bits) < 0;
  }

  Inspection& inspection_;
  const Program& program_;
  std::vector<std::optional<std::uint64_t>> lengths_;
};

}  // namespace

void check_bounds(Inspection& inspection) { Accesses(inspection).check(); }

}  // namespace vyre::ir
