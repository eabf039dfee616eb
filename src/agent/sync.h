// Syncer: one machine's exchange with the server, in passes. A pass pulls the fleet's decisions
// into the local files, publishes what was decided here, and posts the wishes that applications
// have left.
//
// When the server is away, a pass is an error and nothing else happens: files stay as they are, and
// what was to be sent is sent by a later pass. One thread uses a Syncer.

#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "agent/local_decisions.h"
#include "agent/mirror.h"
#include "agent/store.h"

namespace vyre::agent {

struct SyncOptions {
  std::filesystem::path fleet_folder = {};   // Files::fleet_folder of the applications
  std::filesystem::path local_folder = {};   // with the user's `<adapter>.toml`; empty: none
  std::filesystem::path wishes_folder = {};  // where save_wishes leaves them; empty: none
};

struct Synced {
  std::size_t pulled = 0;                  // decisions
  std::size_t files = 0;                   // that were replaced
  std::size_t published = 0;               // decisions
  std::size_t posted = 0;                  // wishes that are new on the server
  std::vector<std::string> messages = {};  // for people: what was skipped and why
};

class Syncer {
 public:
  explicit Syncer(SyncOptions options)
      : options_(std::move(options)), local_(options_.local_folder) {}

  // Without the right to publish or to post, that part is left out.
  Expected<Synced> pass(Store& store);

 private:
  Expected<void> publish(Store& store, Synced& synced);
  Expected<void> post_wishes(Store& store, Synced& synced);
  Expected<void> post_file(Store& store, const std::filesystem::path& file, Synced& synced);

  SyncOptions options_;
  Mirror mirror_;
  LocalDecisions local_;
  std::set<std::filesystem::path> refused_;  // files of wishes that cannot be read or removed
};

// A refusal of one row (rejected, bad_inputs) becomes a message; only a server that is gone is an
// error. True: it was done.
Expected<bool> tolerate(const Expected<bool>& result, std::vector<std::string>& messages);

}  // namespace vyre::agent
