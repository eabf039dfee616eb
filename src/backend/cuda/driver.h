// The interface of a GPU's driver, CUDA's or HIP's, as a table of functions found at run time.
//
// Neither a header nor a library of theirs is needed to build. Handles are pointers and device
// addresses 64 bits wide in both, so one set of types serves.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "vyre/error.h"

namespace vyre::backend::cuda {

// Whose interface it is. HIP's has the same functions under other names.
enum class Api : std::uint8_t { cuda, hip };

using DriverContext = struct DriverContextObject*;
using DriverModule = struct DriverModuleObject*;
using DriverFunction = struct DriverFunctionObject*;
using DriverStream = struct DriverStreamObject*;
using DriverEvent = struct DriverEventObject*;
using DriverPointer = std::uint64_t;

struct DriverUuid {
  std::array<unsigned char, 16> bytes;
};

// A member is null where the driver lacks the function.
struct DriverFunctions {
#define VYRE_DRIVER_FUNCTION(member, cuda, hip, parameters) int(*member) parameters = nullptr;
#include "backend/cuda/driver_functions.def"
#undef VYRE_DRIVER_FUNCTION
};

struct Driver {
  Api api = Api::cuda;
  DriverFunctions call{};
};

// Opens the driver's library, by its usual names if `library` is empty, and finds all functions.
// The library stays open until the process ends. Errors are `backend`: no such library, or it lacks
// a function, which the message names.
Expected<std::shared_ptr<const Driver>> load_driver(Api api, const std::string& library = "");

// What the backend asks a device for.
enum class Attribute : std::uint8_t {
  block_threads,
  block_x,
  block_y,
  block_z,
  grid_x,
  grid_y,
  grid_z,
  block_shared_bytes,         // without asking for more
  block_shared_bytes_opt_in,  // with function_set_attribute
  processors,
  capability_major,
  capability_minor,
};
// The number that the driver's interface has for it.
int number_of(Api api, Attribute attribute);

// What the backend asks a function for. The numbers are those of both interfaces.
enum class FunctionAttribute : std::uint8_t {
  block_threads = 0,
  shared_bytes = 1,  // static
  constant_bytes = 2,
  local_bytes = 3,  // of one thread: arrays, and registers that were spilled
  registers = 4,
  dynamic_shared_bytes = 8,  // the most that a launch may ask for
};

}  // namespace vyre::backend::cuda
