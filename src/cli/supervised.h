// Work with a driver, in a process of its own with time limits.
//
// A driver's compiler cannot be stopped from within its process: PoCL holds a lock that even the
// release of the program waits for. A kernel that never ends cannot be stopped at all. So the
// command forks before it opens a device, and kills the child that takes too long. The child prints
// its results itself. Its error, its crash, or the limit that it has passed becomes an error here.

#pragma once

#include <chrono>
#include <functional>

#include "vyre/error.h"

namespace vyre::cli {

struct TimeLimits {
  std::chrono::milliseconds build{};
  std::chrono::milliseconds run{};
};

// How the child says how far it has come.
class Stages {
 public:
  explicit Stages(int pipe) : pipe_(pipe) {}
  void compiling() const { tell('c'); }  // `build` begins
  void running() const { tell('r'); }    // `run` begins
  void done() const { tell('d'); }       // nothing is limited any more

 private:
  void tell(char stage) const;
  int pipe_;
};

// `name`: what is compiled and run, for messages. To be called by a process that has one thread.
Expected<void> supervised(const std::string& name, const TimeLimits& limits,
                          const std::function<Expected<void>(const Stages&)>& work);

}  // namespace vyre::cli
