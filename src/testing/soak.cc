#include "testing/soak.h"

#include <cstdlib>
#include <string_view>

namespace vyre::testing {

bool soaking() {
  const char* value = std::getenv("VYRE_SOAK");
  return value != nullptr && std::string_view(value) == "1";
}

// GCC says it with a macro, clang with a feature.
bool sanitizing() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return true;
#else
  return false;
#endif
#else
  return false;
#endif
}

std::uint32_t cases(std::uint32_t usual, std::uint32_t soak, std::uint32_t sanitized) {
  return sanitizing() ? cases(sanitized, usual) : cases(usual, soak);
}

std::uint32_t cases(std::uint32_t usual, std::uint32_t soak) { return soaking() ? soak : usual; }

}  // namespace vyre::testing
