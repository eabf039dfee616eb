// The registers that a thread finds filled: %tid and its kin. They are the first slots of a frame.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fake_cuda {

enum Special : std::uint32_t {
  kTid,         // .x .y .z
  kNtid = 3,    // .x .y .z
  kCtaid = 6,   // .x .y .z
  kNctaid = 9,  // .x .y .z
  kLaneid = 12,
  kWarpid,
  kNwarpid,
  kLanemaskEq,
  kLanemaskLe,
  kLanemaskLt,
  kLanemaskGe,
  kLanemaskGt,
  kSmid,
  kNsmid,
  kGridid,
  kDynamicShared,
  kTotalShared,
  kClock,  // read by an instruction of its own, as the next two
  kClock64,
  kGlobaltimer,
  kTrash,  // the register `_`
  kFirstRegister = 32,
};

std::optional<Special> special_of(std::string_view name);

}  // namespace fake_cuda
