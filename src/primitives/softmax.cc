#include "primitives/softmax.h"

#include <algorithm>

#include "primitives/arguments.h"
#include "primitives/reduce.h"

namespace vyre::primitives {
namespace {

using namespace ir;
using ir::Value;

// One workgroup serves up to this many weights, in 16 turns. For more weights, three launches cost
// less than leaving the rest of the device idle.
constexpr std::uint32_t kMostForOneGroup = 16 * kWorkgroup;
// So many partial sums fill any device, and one workgroup can still add them up quickly.
constexpr std::uint32_t kMostGroups = 4 * kWorkgroup;

std::uint32_t groups_for(std::uint32_t n) {
  return std::min(kMostGroups, (n - 1) / kWorkgroup + 1);
}

// Adds up the sums of all invocations of a workgroup. The total goes to element 0 of `sums`.
void join_sums(Builder& b, const Value& sum, const Array& sums) {
  sums[b.local_id()] = sum;
  reduce_workgroup(b, sums, [](const Value& p, const Value& q) { return p + q; });
}

// Adds up all of x with one workgroup.
void sum_all(Builder& b, const Array& x, const Value& n, const Array& sums) {
  auto sum = b.var(u64, "sum", 0);
  b.for_("k", b.local_id(), n, {.step = kWorkgroup},
         [&](const Value& k) { sum += cast(u64, x[k]); });
  join_sums(b, sum, sums);
}

Value probability(const Value& weight, const Value& total) {
  return cast(u32, (cast(u64, weight) << 16) / total);
}

// The sizes are shapes, so that one compiled kernel serves all of them.

Expected<Program> whole_softmax() {
  return build("softmax_whole", [](Builder& b) {
    const Value n = b.shape("n");
    auto weights = b.read(u32, "pre_exp", n);
    auto out = b.write(u32, "out", n);
    auto sums = b.local(u64, "sums", kWorkgroup);
    b.workgroup(kWorkgroup);
    b.grid(1);
    b.region("sum", [&] { sum_all(b, weights, n, sums); });
    b.region("divide", [&] {
      auto total = b.let("total", max(sums[0], 1));
      // A caller may ask for a larger grid. Every workgroup then divides a part of its own.
      b.for_("k", b.global_id(), n, {.step = b.global_size()},
             [&](const Value& k) { out[k] = probability(weights[k], total); });
    });
  });
}

Expected<Program> partial_sums() {
  return build("softmax_partial_sums", [](Builder& b) {
    const Value n = b.shape("n");
    const Value groups = b.shape("groups");
    auto weights = b.read(u32, "pre_exp", n);
    auto partial = b.write(u64, "partial", groups);
    auto sums = b.local(u64, "sums", kWorkgroup);
    b.workgroup(kWorkgroup);
    b.grid(groups);
    // Each workgroup adds up a piece of its own, four weights at a time. The first workgroup also
    // adds the up to three weights that are left.
    auto quads = b.let("quads", n / 4);
    auto turns = b.let("turns", quads / (groups * kWorkgroup) + 1);
    auto first = b.let("first", b.group_id() * turns * kWorkgroup);
    auto sum = b.var(u64, "sum", 0);
    b.for_("k", first + b.local_id(), min(quads, first + turns * kWorkgroup), {.step = kWorkgroup},
           [&](const Value& k) {
             auto four = b.let("four", weights.load4(k));
             sum += cast(u64, four[0]) + cast(u64, four[1]) +
                    (cast(u64, four[2]) + cast(u64, four[3]));
           });
    b.if_(b.global_id() < n % 4, [&] { sum += cast(u64, weights[quads * 4 + b.global_id()]); });
    join_sums(b, sum, sums);
    b.if_(b.local_id() == 0, [&] { partial[b.group_id()] = sums[0]; });
  });
}

Expected<Program> total_sum() {
  return build("softmax_total", [](Builder& b) {
    const Value groups = b.shape("groups");
    auto partial = b.read(u64, "partial", groups);
    auto total = b.write(u64, "total", 1);
    auto sums = b.local(u64, "sums", kWorkgroup);
    b.workgroup(kWorkgroup);
    b.grid(1);
    sum_all(b, partial, groups, sums);
    b.if_(b.local_id() == 0, [&] { total[0] = max(sums[0], 1); });
  });
}

Expected<Program> divide() {
  return build("softmax_divide", [](Builder& b) {
    const Value n = b.shape("n");
    auto weights = b.read(u32, "pre_exp", n);
    auto total = b.read(u64, "total", 1);
    auto out = b.write(u32, "out", n);
    b.workgroup(kWorkgroup);
    auto i = b.let("i", b.global_id());
    b.if_(i < n, [&] { out[i] = probability(weights[i], total[0]); });
  });
}

}  // namespace

void build_softmax(SequenceBuilder& s, std::uint32_t n) {
  auto weights = s.read(u32, "pre_exp", n);
  auto out = s.write(u32, "out", n);
  if (n <= kMostForOneGroup) {
    s.run(whole_softmax(), {weights, out}, {n});
    return;
  }
  const std::uint32_t groups = groups_for(n);
  auto partial = s.scratch(u64, "partial", groups);
  auto total = s.scratch(u64, "total", 1);
  s.run(partial_sums(), {weights, partial}, {n, groups});
  s.run(total_sum(), {partial, total}, {groups});
  s.run(divide(), {weights, total, out}, {n});
}

}  // namespace vyre::primitives
