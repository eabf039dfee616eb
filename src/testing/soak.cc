#include "testing/soak.h"

#include <cstdlib>
#include <string_view>

namespace vyre::testing {

bool soaking() {
  const char* value = std::getenv("VYRE_SOAK");
  return value != nullptr && std::string_view(value) == "1";
}

std::uint32_t cases(std::uint32_t usual, std::uint32_t soak) { return soaking() ? soak : usual; }

}  // namespace vyre::testing
