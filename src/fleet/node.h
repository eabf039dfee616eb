// The node's side: all that `vyre-node` does.

#pragma once

#include <functional>
#include <memory>

#include "fleet/messages.h"
#include "fleet/streams.h"
#include "tune/device_evaluator.h"
#include "vyre/tune.h"

namespace vyre::fleet {

struct NodeOptions {
  std::string host = {};  // for people
  // Called once, when the campaign has spoken.
  std::function<Expected<DeviceInfo>()> open_device = {};
  // Called for each job. The space of `problem` holds the default configuration only, as number 0;
  // `config_of` knows it and all others that work is about.
  std::function<Expected<std::unique_ptr<Evaluator>>(const Problem& problem, const JobHead& job,
                                                     const ConfigOf& config_of)>
      evaluate = {};
  Timing timing = {};
  int version = kVersion;  // of the messages; another one to be refused
};

// Answers the campaign at the other end of the streams until it says goodbye, closes them, or has
// been silent for Timing::end. Then the process ends at once, with all workers that it has
// (PR_SET_PDEATHSIG): a kernel that hangs cannot be waited for. Beats go out however busy the
// evaluator is. Never returns.
[[noreturn]] void serve_node(int input, int output, const NodeOptions& options);

}  // namespace vyre::fleet
