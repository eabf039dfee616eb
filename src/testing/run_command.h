// Runs a program as a user would, and keeps its whole output: for end-to-end tests.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace vyre::testing {

struct CommandOptions {
  std::chrono::milliseconds timeout{60'000};
  std::vector<std::string> environment = {};  // "NAME=value", on top of ours
};

struct CommandResult {
  int exit_code = -1;            // -1 unless it ended by itself
  int signal = 0;                // what ended it, if a signal did
  bool timed_out = false;        // it was killed, with all that it had started
  std::uint64_t peak_bytes = 0;  // memory of the largest process among it and what it waited for
  std::string out;
  std::string err;
};

// argv[0] is a path or is looked up in PATH; standard input is empty. A program that cannot be
// started gives exit code 127 and says so in `err`, as a shell would. From one thread at a time.
CommandResult run_command(const std::vector<std::string>& argv, const CommandOptions& options = {});

}  // namespace vyre::testing
