// The null device joins the suite: it takes every program and gives outputs of the right size.

#include "suite.h"

namespace vyre::conformance {
namespace {

const bool kJoined = join({.name = "null", .open = [] { return open_null(); }});

}  // namespace
}  // namespace vyre::conformance
