#include "fuse/merge.h"

#include <fmt/format.h>

#include "base/text.h"
#include "fuse/finish.h"
#include "fuse/launches.h"

namespace vyre::fuse {
namespace {

// Both cores in one frame.
std::expected<JoinedCores, Refusal> merge_cores(const CoreParts& parts) {
  if (auto refusal = refuse_parts(parts)) return std::unexpected(std::move(*refusal));
  const std::string names = fmt::format("{} and {}", quote(parts.producer.program.name),
                                        quote(parts.consumer.program.name));
  Refusal last{"merge.domain", names + " do not run for the same numbers"};
  for (const CorePlan& plan : plan_same(parts.producer, parts.consumer)) {
    auto joined = write_cores(parts, plan);
    const auto has_rows = joined ? check_sharing(parts, *joined) : std::unexpected(joined.error());
    if (has_rows && !*has_rows) return joined;
    last = has_rows ? Refusal{"merge.rows", names + " share rows, not elements"} : has_rows.error();
  }
  return std::unexpected(std::move(last));
}

// One body behind the other.
std::expected<JoinedCores, Refusal> merge_bodies(const CoreParts& parts) {
  auto joined = write_bodies(parts);
  if (!joined) return joined;
  const auto shared = check_sharing(parts, *joined);
  if (!shared) return std::unexpected(shared.error());
  return joined;
}

}  // namespace

// Cores that share a frame can keep values in variables, so that is tried first.
std::expected<Stage, Refusal> join_merge(const Stage& producer, const Stage& consumer,
                                         const JoinContext& context) {
  const Analysed first(producer);
  const Analysed second(consumer);
  const CoreParts parts{context.sequence, first, second, "merge"};
  if (auto refusal = refuse_zeroed(parts)) return std::unexpected(std::move(*refusal));
  auto joined = merge_cores(parts);
  const bool is_rows = !joined && joined.error().rule == "merge.rows";
  if (!joined && !is_rows && have_same_launch(producer.program, consumer.program)) {
    joined = merge_bodies(parts);
  }
  if (!joined) return std::unexpected(joined.error());
  return finish(*joined, context);
}

}  // namespace vyre::fuse
