// Refusal: why two steps cannot become one program.

#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace vyre::fuse {

// How two steps are joined.
enum class Kind : std::uint8_t { none = 0, inline_ = 1, epilogue = 2, merge = 3, rows = 4 };

struct Refusal {
  std::string rule;  // short and stable: "inline.once"
  std::string why;   // one sentence for people, names in quotes
};

inline std::unexpected<Refusal> refuse(std::string rule, std::string why) {
  return std::unexpected(Refusal{std::move(rule), std::move(why)});
}

}  // namespace vyre::fuse
