#include "primitives/arguments.h"

#include <limits>

#include "base/error.h"

namespace vyre::primitives {

Expected<void> check_elements(std::string_view primitive, std::string_view argument,
                              std::uint64_t elements) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max() / 4;
  if (elements == 0) {
    return bad_inputs("{}: {} is 0; there must be at least one element", primitive, argument);
  }
  if (elements > most) {
    return bad_inputs("{}: {} is {}; a buffer holds at most {} elements", primitive, argument,
                      elements, most);
  }
  return {};
}

}  // namespace vyre::primitives
