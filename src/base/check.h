// VYRE_CHECK: a condition that only a bug of ours can break. Aborts with its place.
// Never used on anything that comes from outside.

#pragma once

namespace vyre {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace vyre

#define VYRE_CHECK(condition) \
  (static_cast<bool>(condition) ? void() : ::vyre::check_failed(#condition, __FILE__, __LINE__))
