#include "fuse/core_plan.h"

#include <algorithm>

namespace vyre::fuse {
namespace {

using bounds::Poly;
using bounds::RadixAxis;

// Both domains with equal counts, in the order of the frame's axes.
std::optional<Domain> ordered_like(const Domain& frame, const Analysed& frame_side,
                                   const Domain& moved, const Analysed& moved_side) {
  if (frame.axes.size() != moved.axes.size()) return std::nullopt;
  Domain out = moved;
  out.axes.clear();
  std::vector<RadixAxis> left = moved.axes;
  for (const RadixAxis& axis : frame.axes) {
    const auto count = translate(axis.count, frame_side, moved_side);
    const auto it =
        std::ranges::find_if(left, [&](const RadixAxis& a) { return count && a.count == *count; });
    if (it == left.end()) return std::nullopt;
    out.axes.push_back(*it);
    left.erase(it);
  }
  return out;
}

// The moved core runs for each element of the frame's rows.
void add_row_plans(Analysed& frame_side, const Domain& frame, Analysed& moved_side,
                   const Domain& moved, bool keeps_producer, std::vector<CorePlan>& out) {
  const auto rows = translate(frame.axes[0].count, frame_side, moved_side);
  if (frame.axes.size() != 1 || !rows) return;
  if (moved.axes.size() == 1) {
    const auto size = bounds::exact_quotient(moved.axes[0].count, *rows);
    if (size && *size != Poly(1)) out.push_back({keeps_producer, frame, moved, *size, 0});
    return;
  }
  for (const std::size_t axis : {std::size_t{1}, std::size_t{0}}) {
    if (moved.axes[axis].count != *rows) continue;
    out.push_back({keeps_producer, frame, moved, moved.axes[1 - axis].count, axis});
  }
}

}  // namespace

std::vector<CorePlan> plan_same(Analysed& producer, Analysed& consumer) {
  std::vector<CorePlan> out;
  const auto moved = find_domains(consumer.program, consumer.accesses);
  for (const Domain& frame : find_domains(producer.program, producer.accesses)) {
    for (const Domain& other : moved) {
      const auto ordered = ordered_like(frame, producer, other, consumer);
      if (ordered) out.push_back({true, frame, *ordered, std::nullopt, 0});
    }
  }
  return out;
}

std::vector<CorePlan> plan_rows(Analysed& producer, Analysed& consumer) {
  std::vector<CorePlan> out = plan_same(producer, consumer);
  const auto first = find_domains(producer.program, producer.accesses);
  const auto second = find_domains(consumer.program, consumer.accesses);
  for (const Domain& a : first) {
    for (const Domain& b : second) {
      add_row_plans(producer, a, consumer, b, true, out);
      add_row_plans(consumer, b, producer, a, false, out);
    }
  }
  return out;
}

}  // namespace vyre::fuse
