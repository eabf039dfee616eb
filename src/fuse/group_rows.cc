#include "fuse/group_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "fuse/finish.h"
#include "fuse/group_plan.h"
#include "ir/ops.h"

namespace vyre::fuse {
namespace {

// Whether one of the stages writes what the other one touches.
bool share_a_buffer(const CoreParts& parts) {
  const auto& second = parts.consumer.program.buffers;
  return std::ranges::any_of(parts.producer.program.buffers, [&](const ir::Buffer& b) {
    const auto same = std::ranges::find(second, b.name, &ir::Buffer::name);
    return ir::is_bound(b.access) && same != second.end() &&
           (ir::gives_output(b.access) || ir::gives_output(same->access));
  });
}

// What a buffer held before the launch is the same for all invocations of a workgroup; what the
// first half has stored may not be. So a barrier under a condition on it is no longer uniform.
std::expected<void, Refusal> check_uniform(const CoreParts& parts, const ir::Program& joined) {
  for (const Error& error : ir::validate(joined)) {
    if (error.code != "V070" && error.code != "V071") continue;
    return refuse(
        "rows.uniform",
        fmt::format("not all invocations of a workgroup would reach a barrier of {} and "
                    "{} together",
                    quote(parts.producer.program.name), quote(parts.consumer.program.name)));
  }
  return {};
}

// Whether the halves need the barrier: some element is touched by several invocations.
bool needs_barrier(const CoreParts& parts, JoinedCores joined) {
  joined.by_group = false;
  return !check_sharing(parts, joined);
}

std::expected<JoinedCores, Refusal> join_by(const CoreParts& parts, const GroupPlan& plan) {
  auto joined = write_groups(parts, plan);
  if (!joined) return joined;
  const auto uniform = check_uniform(parts, joined->program);
  if (!uniform) return std::unexpected(uniform.error());
  const auto shared = check_sharing(parts, *joined);
  if (!shared) return std::unexpected(shared.error());
  if (plan.form == GroupForm::bodies && !needs_barrier(parts, *joined)) {
    return refuse("rows.none", fmt::format("{} and {} share no row; they can be merged",
                                           quote(parts.producer.program.name),
                                           quote(parts.consumer.program.name)));
  }
  return joined;
}

}  // namespace

std::expected<Stage, Refusal> join_group_rows(const CoreParts& parts, const JoinContext& context,
                                              Refusal otherwise) {
  const GroupPlans found = plan_groups(parts);
  Refusal last = found.refusal.value_or(std::move(otherwise));
  if (!found.plans.empty() && !share_a_buffer(parts)) {
    return refuse("rows.none",
                  fmt::format("{} and {} share no row", quote(parts.producer.program.name),
                              quote(parts.consumer.program.name)));
  }
  for (const GroupPlan& plan : found.plans) {
    const auto joined = join_by(parts, plan);
    if (joined) return finish(*joined, context);
    last = joined.error();
  }
  return std::unexpected(std::move(last));
}

}  // namespace vyre::fuse
