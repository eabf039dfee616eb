// Work with a driver, in a process of its own with time limits.
//
// A driver's compiler cannot be stopped from within its process: PoCL holds a lock that even the
// release of the program waits for. A kernel that never ends cannot be stopped at all. So the
// command forks before it opens a device, and kills the child that takes too long. The child prints
// its results itself. Its error, its crash, or the limit that it has passed becomes an error here.
// A compiler may also take all memory, so its growth is watched.

#pragma once

#include <functional>
#include <string>

#include "cli/limits.h"
#include "vyre/error.h"

namespace vyre::cli {

// How the child says how far it has come.
class Stages {
 public:
  explicit Stages(int pipe) : pipe_(pipe) {}
  // `build` begins. What it takes is counted without `buffer_bytes`, which it has not taken yet.
  void compiling(std::uint64_t buffer_bytes) const;
  void running() const { tell('r'); }  // `run` begins
  void done() const { tell('d'); }     // nothing is limited any more

 private:
  void tell(char stage) const;
  int pipe_;
};

// `name`: what is compiled and run, for messages. To be called by a process that has one thread.
Expected<void> supervised(const std::string& name, const Limits& limits,
                          const std::function<Expected<void>(const Stages&)>& work);

}  // namespace vyre::cli
