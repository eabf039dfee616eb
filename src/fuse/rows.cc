#include "fuse/rows.h"

#include <fmt/format.h>

#include "base/text.h"
#include "fuse/finish.h"

namespace vyre::fuse {

// The plans are tried until one keeps each row to itself. A plan without a loop and without rows is
// a merge, not this.
std::expected<Stage, Refusal> join_rows(const Stage& producer, const Stage& consumer,
                                        const JoinContext& context) {
  const Analysed first(producer.program);
  const Analysed second(consumer.program);
  const CoreParts parts{context.sequence, first, second, "rows"};
  if (auto refusal = refuse_parts(parts)) return std::unexpected(std::move(*refusal));
  if (auto refusal = refuse_zeroed(parts)) return std::unexpected(std::move(*refusal));
  Refusal last{
      "rows.domain",
      fmt::format("{} and {} do not run for the same rows, or for the elements of the rows",
                  quote(producer.program.name), quote(consumer.program.name))};
  for (const CorePlan& plan : plan_rows(first, second)) {
    auto joined = write_cores(parts, plan);
    const auto has_rows = joined ? check_sharing(parts, *joined) : std::unexpected(joined.error());
    if (!has_rows) {
      last = has_rows.error();
    } else if (*has_rows || plan.is_loop) {
      return finish(*joined, context);
    } else {
      last = {"rows.none", fmt::format("{} and {} share no row; they can be merged",
                                       quote(producer.program.name), quote(consumer.program.name))};
    }
  }
  return std::unexpected(std::move(last));
}

}  // namespace vyre::fuse
