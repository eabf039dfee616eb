// The subcommands of `vyre-agent`: from options to an exit code's reason. They print results to
// standard output and events to standard error.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vyre/error.h"

namespace vyre::agent {

struct AgentOptions {
  std::string connect = {};  // libpq's connection string
  // sync, serve
  std::string fleet_folder = {};
  std::string wishes_folder = {};
  bool no_publish = false;
  double poll_seconds = 5;
  // wish
  std::vector<std::string> wanted = {};  // keys and files
  std::vector<std::string> sizes = {};   // NAME=NUMBER
  std::string wishes_file = {};
  // wish, tune
  std::string device = "best";
  // tune
  std::string problems = {};
  double seconds = 15;
  std::uint64_t evaluations = 0;
  double lease_seconds = 60;
  bool once = false;
};

Expected<void> run_migrate(const AgentOptions& options);
Expected<void> run_sync(const AgentOptions& options);
Expected<void> run_serve(const AgentOptions& options);
Expected<void> run_wish(const AgentOptions& options);
Expected<void> run_tune(const AgentOptions& options);

}  // namespace vyre::agent
