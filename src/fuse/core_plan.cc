#include "fuse/core_plan.h"

#include <algorithm>

namespace vyre::fuse {
namespace {

using bounds::Poly;
using bounds::RadixAxis;

// The stage whose frame stays, and the other one.
struct Sides {
  const Analysed& kept;
  const Analysed& other;
  bool keeps_producer;

  // The producer's core would stand behind loads of the consumer's frame.
  bool may_keep(const Domain& frame) const { return keeps_producer || !frame.frame_loads; }
};

// The moved domain with the axes in the order of the frame's, if their counts are equal.
std::optional<Domain> ordered_like(const Sides& sides, const Domain& frame, const Domain& moved) {
  if (frame.axes.size() != moved.axes.size()) return std::nullopt;
  Domain out = moved;
  out.axes.clear();
  std::vector<RadixAxis> left = moved.axes;
  for (const RadixAxis& axis : frame.axes) {
    const auto count = translate(axis.count, sides.kept, sides.other);
    const auto it =
        std::ranges::find_if(left, [&](const RadixAxis& a) { return count && a.count == *count; });
    if (it == left.end()) return std::nullopt;
    out.axes.push_back(*it);
    left.erase(it);
  }
  return out;
}

// The frame has rows and columns, the moved domain has numbers row * columns + column.
void add_flat(const Sides& sides, const Domain& frame, const Domain& moved,
              std::vector<CorePlan>& out) {
  if (frame.axes.size() != 2 || moved.axes.size() != 1) return;
  for (const std::size_t row : {std::size_t{1}, std::size_t{0}}) {
    const auto rows = translate(frame.axes[row].count, sides.kept, sides.other);
    const auto columns = translate(frame.axes[1 - row].count, sides.kept, sides.other);
    if (!rows || !columns || *rows * *columns != moved.axes[0].count) continue;
    out.push_back({sides.keeps_producer, frame, moved, *columns, false, row});
  }
}

void add_same(const Sides& sides, std::vector<CorePlan>& out) {
  for (const Domain& frame : sides.kept.domains) {
    if (!sides.may_keep(frame)) continue;
    for (const Domain& moved : sides.other.domains) {
      const auto ordered = ordered_like(sides, frame, moved);
      // One of the two orders is enough if the domains are equal.
      if (ordered && sides.keeps_producer) {
        out.push_back({true, frame, *ordered, std::nullopt, false, 0});
      }
      add_flat(sides, frame, moved, out);
    }
  }
}

// The moved core runs for each element of the frame's rows.
void add_rows(const Sides& sides, const Domain& frame, const Domain& moved,
              std::vector<CorePlan>& out) {
  const auto rows = translate(frame.axes[0].count, sides.kept, sides.other);
  if (frame.axes.size() != 1 || !rows) return;
  if (moved.axes.size() == 1) {
    const auto size = bounds::exact_quotient(moved.axes[0].count, *rows);
    if (size && *size != Poly(1))
      out.push_back({sides.keeps_producer, frame, moved, *size, true, 0});
    return;
  }
  for (const std::size_t axis : {std::size_t{1}, std::size_t{0}}) {
    if (moved.axes[axis].count != *rows) continue;
    out.push_back({sides.keeps_producer, frame, moved, moved.axes[1 - axis].count, true, axis});
  }
}

}  // namespace

std::vector<CorePlan> plan_same(const Analysed& producer, const Analysed& consumer) {
  std::vector<CorePlan> out;
  add_same({producer, consumer, true}, out);
  add_same({consumer, producer, false}, out);
  return out;
}

std::vector<CorePlan> plan_rows(const Analysed& producer, const Analysed& consumer) {
  std::vector<CorePlan> out = plan_same(producer, consumer);
  for (const Sides& sides : {Sides{producer, consumer, true}, Sides{consumer, producer, false}}) {
    for (const Domain& frame : sides.kept.domains) {
      for (const Domain& moved : sides.other.domains) {
        if (sides.may_keep(frame)) add_rows(sides, frame, moved, out);
      }
    }
  }
  return out;
}

}  // namespace vyre::fuse
