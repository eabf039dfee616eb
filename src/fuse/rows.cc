#include "fuse/rows.h"

#include <fmt/format.h>

#include "base/text.h"
#include "fuse/finish.h"
#include "fuse/group_rows.h"
#include "fuse/groups.h"

namespace vyre::fuse {
namespace {

// The plans are tried until one keeps each row to itself. A plan without a loop and without rows is
// a merge, not this.
std::expected<Stage, Refusal> join_invocations(const CoreParts& parts, const JoinContext& context) {
  if (auto refusal = refuse_parts(parts)) return std::unexpected(std::move(*refusal));
  const std::string first = quote(parts.producer.program.name);
  const std::string second = quote(parts.consumer.program.name);
  Refusal last{
      "rows.domain",
      fmt::format("{} and {} do not run for the same rows, or for the elements of the rows", first,
                  second)};
  for (const CorePlan& plan : plan_rows(parts.producer, parts.consumer)) {
    auto joined = write_cores(parts, plan);
    const auto has_rows = joined ? check_sharing(parts, *joined) : std::unexpected(joined.error());
    if (!has_rows) {
      last = has_rows.error();
    } else if (*has_rows || plan.is_loop) {
      return finish(*joined, context);
    } else {
      last = {"rows.none",
              fmt::format("{} and {} share no row; they can be merged", first, second)};
    }
  }
  return std::unexpected(std::move(last));
}

}  // namespace

// An invocation for each row needs no barrier, so that is tried first.
std::expected<Stage, Refusal> join_rows(const Stage& producer, const Stage& consumer,
                                        const JoinContext& context) {
  const Analysed first(producer);
  const Analysed second(consumer);
  const CoreParts parts{context.sequence, first, second, "rows"};
  if (auto refusal = refuse_zeroed(parts)) return std::unexpected(std::move(*refusal));
  auto joined = join_invocations(parts, context);
  const bool has_groups = works_by_groups(first.program) || works_by_groups(second.program);
  if (joined || !has_groups) return joined;
  return join_group_rows(parts, context, std::move(joined).error());
}

}  // namespace vyre::fuse
