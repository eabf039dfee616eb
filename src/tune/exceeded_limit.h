// ExceededLimit: the time limit that a configuration exceeded, as failures name it.
//
// Journals and quarantines keep the reason of a failure as text for people. This is the one place
// that writes the text for a limit, and it reads the text back.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vyre {

struct ExceededLimit {
  enum class Kind : std::uint8_t { build, run };
  Kind kind = Kind::run;
  double seconds = 0;
};

// "a run took more than 10 s"
std::string to_string(const ExceededLimit& limit);
// None if the text names no limit.
std::optional<ExceededLimit> exceeded_limit_in(std::string_view why);

}  // namespace vyre
