// Fleet: the nodes that a launcher has started, and what they are.
//
// All nodes of a fleet have the device of the first one that answers, by its whole identity
// (vyre/device.h): times of another device or driver would be of another decision. Nodes of another
// identity are ended, and an event names them. A node that is lost is started again, unless it was
// lost twice in a row before it had answered anything.
//
// Belongs to one thread.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fleet/messages.h"
#include "fleet/streams.h"
#include "vyre/tune.h"

namespace vyre::fleet {

struct FleetOptions {
  // The words of a command (words.h) that starts the program behind it somewhere, once, and carries
  // its standard input and output: "srun --quiet -u -N1 -n1 --exact".
  std::string launcher = {};
  std::string program = {};                 // vyre-node, as the nodes find it
  std::vector<std::string> arguments = {};  // of vyre-node
  std::uint32_t nodes = 1;
  Timing timing = {};
  // Several times a second while the first node is waited for, with the seconds so far. False: an
  // error for which vyre::is_stop holds.
  std::function<bool(double seconds)> on_wait = {};
  EventSink events = {};  // warnings: nodes that are refused or lost
};

// One node at a time.
struct Place {
  enum class State : std::uint8_t {
    starting,
    idle,     // it has greeted, and has no job
    loading,  // it has the job, and the default configuration is not yet measured there
    ready,
    refused,  // it cannot do this job
    out,      // of the fleet, for good
  };
  State state = State::starting;
  std::string host = {};
  std::uint32_t false_starts = 0;  // nodes in a row that were lost before they had answered
  Ready ready = {};                // while it is
};

class Fleet {
 public:
  // Starts all nodes and waits for the first one. bad_inputs: the launcher is no command.
  static Expected<Fleet> start(FleetOptions options);

  const DeviceInfo& device() const { return device_; }

  std::vector<Place>& places() { return places_; }
  Streams& streams() { return *streams_; }
  std::string name_of(std::size_t place) const;  // "node 2 (host)"
  void warn(std::string message) const;

  // What has happened, once the fleet itself has taken note: of greetings those of nodes that
  // belong to it, and of nodes that are lost. Waits at most so long.
  std::vector<StreamEvent> wait(double seconds);

  // The node sends what no node sends: ends it.
  void dismiss(std::size_t place, const std::string& why);
  // It cannot do the job at hand.
  void refuse(std::size_t place, const Error& error);

  // Whether any node can do something for the job, now or later.
  bool has_hope() const;
  // Why the last one could not.
  const Error& last_error() const { return last_error_; }

 private:
  explicit Fleet(FleetOptions options) : options_(std::move(options)) {}
  Expected<void> begin();
  bool greets(std::size_t place, const Frame& frame);
  void lost(std::size_t place, const std::string& why);

  FleetOptions options_;
  std::vector<Place> places_;
  std::unique_ptr<Streams> streams_;
  bool has_device_ = false;
  DeviceInfo device_;
  Error last_error_{ErrorKind::backend, "", "no node has answered"};
};

// A device that other machines have: known by its description, and for nothing else. What would run
// something on it fails.
std::shared_ptr<Device> describe_device(const DeviceInfo& info);

}  // namespace vyre::fleet
