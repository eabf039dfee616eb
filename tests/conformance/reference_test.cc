// The interpreter joins the suite; it skips nothing, for it is the definition.

#include "suite.h"

namespace vyre::conformance {
namespace {

const bool kJoined = join({.name = "reference", .open = [] { return open_reference(); }});
const bool kAlone =
    join({.name = "reference_one_thread", .open = [] { return open_reference({.threads = 1}); }});

}  // namespace
}  // namespace vyre::conformance
