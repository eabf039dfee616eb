#include "fuse/join.h"

#include "base/check.h"
#include "fuse/epilogue.h"
#include "fuse/inline.h"
#include "fuse/merge.h"
#include "fuse/rows.h"

namespace vyre::fuse {

std::expected<Stage, Refusal> join(Kind kind, const Stage& producer, const Stage& consumer,
                                   const JoinContext& context) {
  switch (kind) {
    case Kind::inline_:
      return join_inline(producer, consumer, context);
    case Kind::epilogue:
      return join_epilogue(producer, consumer, context);
    case Kind::merge:
      return join_merge(producer, consumer, context);
    case Kind::rows:
      return join_rows(producer, consumer, context);
    case Kind::none:
      break;
  }
  VYRE_CHECK(kind != Kind::none);
  return std::unexpected(Refusal{});
}

}  // namespace vyre::fuse
