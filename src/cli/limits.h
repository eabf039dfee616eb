// The limits on what is compiled and run, and the options that set them.

#pragma once

#include <chrono>
#include <cstdint>

#include "cli/options.h"
#include "vyre/tune.h"

namespace vyre::cli {

struct Limits {
  std::chrono::milliseconds build{};
  std::uint64_t build_memory = 0;  // bytes; 0: no limit
  std::chrono::milliseconds run{};
};

// As they are typed.
struct LimitFlags {
  double build_seconds = std::chrono::duration<double>(WorkerOptions().build_limit).count();
  std::uint64_t build_mebibytes = WorkerOptions().build_memory >> 20U;
  double run_seconds = std::chrono::duration<double>(WorkerOptions().run_limit).count();
};

// --build-limit, --build-memory and --run-limit. `flags` must outlive the command.
void add_limits(Command& command, LimitFlags& flags);

// A limit of years is one of days.
Expected<Limits> limits_of(const LimitFlags& flags);

}  // namespace vyre::cli
