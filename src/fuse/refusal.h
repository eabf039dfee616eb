// How a join refuses. Kind and Refusal themselves are public (vyre/fuse.h).

#pragma once

#include <expected>
#include <string>
#include <utility>

#include "vyre/fuse.h"

namespace vyre::fuse {

inline std::unexpected<Refusal> refuse(std::string rule, std::string why) {
  return std::unexpected(Refusal{std::move(rule), std::move(why)});
}

}  // namespace vyre::fuse
