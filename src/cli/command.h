// The subcommands of `vyre`. Each is a function `add_NAME(vyre, context)` in src/cli/NAME.cc,
// declared here and called once in command.cc; the file of a subcommand has no header of its own.
//
// `add_NAME` adds the subcommand and its options, with a callback that sets `context.action`.
// Parsing comes first, then the action runs: it prints its result to stdout, and returns an error
// instead of printing one. See ops.cc for a small one.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "vyre/error.h"

namespace vyre::cli {

inline constexpr const char* kNoOutput = "cannot write to standard output: is the disk full?";

struct Context {
  std::function<Expected<void>()> action;
  int exit_code = 0;  // the action's exit code, if it is not the usual 0 or 1
};

void add_cache(Command& vyre, Context& context);
void add_completion(Command& vyre, Context& context);
void add_devices(Command& vyre, Context& context);
void add_explain(Command& vyre, Context& context);
void add_fuse(Command& vyre, Context& context);
void add_manual(Command& vyre, Context& context);
void add_ops(Command& vyre, Context& context);
void add_replay(Command& vyre, Context& context);
void add_report(Command& vyre, Context& context);
void add_run(Command& vyre, Context& context);
void add_space(Command& vyre, Context& context);
void add_convert(Command& vyre, Context& context);
void add_tune(Command& vyre, Context& context);

enum ExitCode : int {
  kOk = 0,
  kFailed = 1,  // the command could not do what it was asked
  kUsage = 2,   // the command line itself is wrong
  // vyre tune:
  kNothingBetter = 3,  // nothing is faster than the default
  kNoDevice = 4,
  kAllFailed = 5,  // not even the default configuration runs
};

// Parses and runs one command line (without the program's name). Prints results to stdout and
// one line "vyre: ..." to stderr for an error.
int run(std::vector<std::string> arguments);

}  // namespace vyre::cli
