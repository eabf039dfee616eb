#include "runtime/observer.h"

#include "ir/ops.h"

namespace vyre {
namespace {

std::uint64_t microseconds(Observer::Clock::duration time) {
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  return us < 0 ? 0 : static_cast<std::uint64_t>(us);
}

// How often each operation is written in the programs' text, not how often it is executed.
std::map<std::string, std::uint64_t> written_op_counts(const ir::SequenceDef& def) {
  std::map<std::string, std::uint64_t> out;
  for (const ir::Step& step : def.steps) {
    const ir::Program& program = def.programs[step.program];
    for (const ir::Expr& e : program.exprs) {
      if (e.op == ir::Op::load) ++out["load"];
      if (ir::in_table(e.op)) ++out[std::string(ir::info(e.op).name)];
    }
    for (const ir::Stmt& s : program.stmts) out["store"] += s.kind == ir::StmtKind::store ? 1 : 0;
  }
  return out;
}

}  // namespace

void Observer::observe(const ir::Sequence& sequence, std::uint32_t workgroup_x,
                       std::uint64_t output_elements, Clock::time_point begin,
                       Clock::time_point end) {
  const std::lock_guard lock(mutex_);
  const auto [it, is_new] = watched_.try_emplace(
      sequence.fingerprint(),
      Watched{.last = {}, .resize = SteadyResize(policy_), .size = {}, .end = begin});
  Watched& watched = it->second;
  if (is_new) watched.last.written_op_counts = written_op_counts(sequence.def());
  const double us = std::chrono::duration<double, std::micro>(end - begin).count();
  watched.last.wall_time_us = microseconds(end - begin);
  watched.last.idle_us = microseconds(begin - watched.end);
  watched.last.observed_workgroup_size_x = workgroup_x;
  watched.last.observed_throughput_per_us = us > 0 ? static_cast<double>(output_elements) / us : 0;
  watched.end = end;
  if (const auto next = watched.resize.suggest(watched.last)) watched.size = next;
}

std::optional<TunerFeedback> Observer::feedback(const ir::Fingerprint& fingerprint) const {
  const std::lock_guard lock(mutex_);
  const auto it = watched_.find(fingerprint);
  return it == watched_.end() ? std::nullopt : std::optional(it->second.last);
}

std::optional<std::uint32_t> Observer::size(const ir::Fingerprint& fingerprint) const {
  const std::lock_guard lock(mutex_);
  const auto it = watched_.find(fingerprint);
  return it == watched_.end() ? std::nullopt : it->second.size;
}

}  // namespace vyre
