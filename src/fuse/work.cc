#include "fuse/work.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "ir/native.h"
#include "ir/ops.h"
#include "ir/structure.h"

namespace vyre::fuse {
namespace {

using ir::ExprId;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;

// A `while` says only how often it turns at most.
constexpr double kMostTurnsOfWhile = 8;

// What an operation costs, in additions. Rounded from what CPUs and GPUs need per element when the
// operation is vectorised; a prediction needs no more.
double weight_of(Op op) {
  switch (op) {
    case Op::div:
    case Op::sqrt:
    case Op::rsqrt:
      return 4;
    case Op::exp:
    case Op::exp2:
    case Op::log:
    case Op::log2:
    case Op::sin:
    case Op::cos:
      return 12;
    case Op::tanh:
    case Op::pow:
      return 24;
    default:
      return 1;
  }
}

// Walks the statements with the number of times that each of them runs.
class WorkCounter {
 public:
  WorkCounter(const ir::Program& program, std::span<const std::uint64_t> symbols,
              const Extent& workgroup, const Extent& groups)
      : program_(program), symbols_(symbols), workgroup_(workgroup), groups_(groups) {
    work_.loads.resize(program.buffers.size());
    work_.stores.resize(program.buffers.size());
    lets_.resize(program.variables.size(), ir::kNone);
    for (const Stmt& s : program.stmts) {
      const bool is_constant = s.kind == StmtKind::let && s.variable < lets_.size() &&
                               !program.variables[s.variable].is_mutable;
      if (is_constant) lets_[s.variable] = s.args[0];
    }
  }

  Work run() {
    double invocations = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      invocations *= static_cast<double>(workgroup_[axis]) * static_cast<double>(groups_[axis]);
    }
    count(program_.body, invocations);
    return std::move(work_);
  }

 private:
  void count(const ir::Block& block, double times) {
    for (const ir::StmtId id : block) count(program_.stmts[id], times);
  }

  void count(const Stmt& s, double times) {
    const double turns = turns_of(s);
    for (const ExprId operand : ir::operands(s)) {
      if (operand != ir::kNone)
        count_expr(operand, s.kind == StmtKind::while_ ? times * turns : times);
    }
    if (s.kind == StmtKind::store || s.kind == StmtKind::atomic) access(s, times);
    if (s.otherwise.empty()) {
      count(s.body, times * turns);
    } else if (const auto condition = value(s.args[0])) {
      count(*condition != 0 ? s.body : s.otherwise, times);
    } else {
      count_dearer(s, times);
    }
  }

  void count_dearer(const Stmt& s, double times) {
    const Work before = work_;
    count(s.body, times);
    const Work first = std::exchange(work_, before);
    count(s.otherwise, times);
    work_.operations = std::max(work_.operations, first.operations);
    for (std::size_t k = 0; k < work_.loads.size(); ++k) {
      work_.loads[k] = std::max(work_.loads[k], first.loads[k]);
      work_.stores[k] = std::max(work_.stores[k], first.stores[k]);
    }
  }

  double cost_of_access(std::uint32_t buffer) const {
    return program_.buffers[buffer].access == ir::Access::private_ ? 0 : 1;
  }

  void access(const Stmt& s, double times) {
    const double width = program_.exprs[s.args[1]].type.width;
    work_.stores[s.buffer] += times * width;
    if (s.kind == StmtKind::atomic) work_.loads[s.buffer] += times;
    work_.operations += times * cost_of_access(s.buffer);
  }

  void count_expr(ExprId id, double times) {
    const ir::Expr& e = program_.exprs[id];
    const double elements = times * e.type.width;
    if (e.op == Op::load) {
      work_.loads[e.index] += elements;
      work_.operations += times * cost_of_access(e.index);
    } else if (ir::in_table(e.op) && ir::is_float(program_.exprs[e.args[0]].type)) {
      work_.operations += elements * weight_of(e.op);
    }
    for (const ExprId operand : ir::operands(e)) count_expr(operand, times);
  }

  // How often the body runs for each time that the statement does.
  double turns_of(const Stmt& s) const {
    if (s.kind == StmtKind::while_) {
      return std::min(value(s.args[1]).value_or(1), kMostTurnsOfWhile);
    }
    if (s.kind != StmtKind::for_) return 1;
    const auto first = value(s.args[0]);
    const auto end = value(s.args[1]);
    const auto step = value(s.args[2]);
    if (!first || !end || !step || *step <= 0) return 1;
    return std::max(0.0, std::ceil((*end - *first) / *step));
  }

  // The value as the first invocation sees it, in its first turn of every loop.
  std::optional<double> value(ExprId id) const {
    const ir::Expr& e = program_.exprs[id];
    switch (e.op) {
      case Op::constant:
        return number(e.type.scalar, e.bits);
      case Op::symbol:
        return number(e.type.scalar, symbols_[e.index]);
      case Op::id:
        return id_value(e.index);
      case Op::variable:
        return lets_[e.index] == ir::kNone ? 0 : value(lets_[e.index]);
      case Op::length:
        return value(program_.buffers[e.index].length);
      case Op::cast:
        return value(e.args[0]);
      case Op::select:
        return value(e.args[0]).value_or(1) != 0 ? value(e.args[1]) : value(e.args[2]);
      default:
        return ir::in_table(e.op) ? operation(e) : std::nullopt;
    }
  }

  static std::optional<double> number(ir::Scalar scalar, std::uint64_t bits) {
    return ir::with_type(scalar, [&](auto t) -> std::optional<double> {
      return static_cast<double>(ir::from_bits<decltype(t)>(bits));
    });
  }

  double id_value(std::uint32_t index) const {
    const std::uint32_t axis = ir::id_axis(index);
    switch (ir::id_kind(index)) {
      case ir::IdKind::local_size:
        return workgroup_[axis];
      case ir::IdKind::groups:
        return groups_[axis];
      case ir::IdKind::global_size:
        return static_cast<double>(workgroup_[axis]) * groups_[axis];
      default:
        return 0;
    }
  }

  std::optional<double> operation(const ir::Expr& e) const {
    if (ir::operand_count(e) != 2) return std::nullopt;
    const auto a = value(e.args[0]);
    const auto b = value(e.args[1]);
    if (!a || !b) return std::nullopt;
    switch (e.op) {
      case Op::add:
        return *a + *b;
      case Op::sub:
        return *a - *b;
      case Op::mul:
        return *a * *b;
      case Op::div:
        return *b == 0 ? std::nullopt : std::optional(std::trunc(*a / *b));
      case Op::mod:
        return *b == 0 ? std::nullopt : std::optional(std::fmod(*a, *b));
      case Op::min:
        return std::min(*a, *b);
      case Op::max:
        return std::max(*a, *b);
      case Op::lt:
        return *a < *b ? 1 : 0;
      case Op::le:
        return *a <= *b ? 1 : 0;
      case Op::gt:
        return *a > *b ? 1 : 0;
      case Op::ge:
        return *a >= *b ? 1 : 0;
      case Op::eq:
        return *a == *b ? 1 : 0;
      case Op::ne:
        return *a != *b ? 1 : 0;
      case Op::shl:
        return *a * std::exp2(*b);
      case Op::shr:
        return std::trunc(*a / std::exp2(*b));
      default:
        return std::nullopt;
    }
  }

  const ir::Program& program_;
  std::span<const std::uint64_t> symbols_;
  Extent workgroup_;
  Extent groups_;
  std::vector<ExprId> lets_;  // by variable: its value, if it never changes
  Work work_;
};

}  // namespace

Work work_of(const ir::Program& program, std::span<const std::uint64_t> symbols,
             const Extent& workgroup, const Extent& groups,
             std::span<const std::uint64_t> lengths) {
  Work out = WorkCounter(program, symbols, workgroup, groups).run();
  std::size_t bound = 0;
  for (std::size_t k = 0; k < program.buffers.size(); ++k) {
    const ir::Buffer& b = program.buffers[k];
    if (!ir::is_bound(b.access)) continue;
    const auto length = static_cast<double>(lengths[bound++]);
    const double bytes = ir::element_bytes(b);
    const bool is_source = program.source.has_value();
    const double read = is_source && ir::takes_input(b.access) ? length : out.loads[k];
    const double written = is_source && ir::gives_output(b.access) ? length : out.stores[k];
    out.read_bytes += std::min(read, length) * bytes;
    out.written_bytes += std::min(written, length) * bytes;
  }
  return out;
}

}  // namespace vyre::fuse
