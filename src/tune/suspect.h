// A configuration that may have taken two machines with it: the reason of its failure, as text.
//
// A node is lost for many reasons, and most have nothing to do with what ran there. So such a
// configuration has failed in its campaign and is not tried there again, but nothing is kept
// against it: the quarantine leaves it out.

#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace vyre {

inline constexpr std::string_view kSuspect = "suspect: ";

// "suspect: node 1 (a) and node 2 (b) were lost while they tried it"
inline std::string suspect_of(std::string_view first, std::string_view second) {
  return fmt::format("{}{} and {} were lost while they tried it", kSuspect, first, second);
}

inline bool is_suspect(std::string_view why) { return why.starts_with(kSuspect); }

}  // namespace vyre
