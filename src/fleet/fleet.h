// Fleet: the nodes that a launcher has started, and what they are.
//
// A fleet works for one device at a time, by its whole identity (vyre/device.h): times of another
// device or driver would be of another decision. The first node that answers says which device that
// is. Nodes of another identity wait, an event names them, and `turn` takes up their device when
// the campaigns for the first one are done. A node that is lost is started again, unless it was
// lost twice in a row before it had answered anything.
//
// Belongs to one thread.

#pragma once

#include <chrono>
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
  // `turn` waits for nodes that have not answered until so long after the start: their device may
  // be one more.
  std::chrono::milliseconds settle{20'000};
  // Several times a second while `start` and `turn` wait for nodes, with the seconds so far. False:
  // an error for which vyre::is_stop holds.
  std::function<bool(double seconds)> on_wait = {};
  EventSink events = {};  // warnings: nodes that are refused or lost
};

// One node at a time.
struct Place {
  enum class State : std::uint8_t {
    starting,
    waiting,  // it has greeted, and it has another device than the one at hand
    idle,     // it has greeted, and has no job
    loading,  // it has the job, and the default configuration is not yet measured there
    ready,
    refused,  // it cannot do this job
    out,      // of the fleet, for good
  };
  State state = State::starting;
  std::string host = {};
  DeviceInfo device = {};          // once it has greeted
  std::uint32_t false_starts = 0;  // nodes in a row that were lost before they had answered
  Ready ready = {};                // while it is
};

class Fleet {
 public:
  // Starts all nodes and waits for the first one. bad_inputs: the launcher is no command.
  static Expected<Fleet> start(FleetOptions options);

  // The one at hand.
  const DeviceInfo& device() const { return device_; }
  // How many nodes are known to have it.
  std::size_t nodes_with_device() const;
  // Ends all nodes with the device at hand, and takes up the next one. False: no node has a device
  // that was not at hand yet. There must be no evaluator (nodes.h) any more.
  Expected<bool> turn();

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

  // Whether any node can do something for the job at hand, now or later.
  bool has_hope() const;
  // Why the last one could not.
  const Error& last_error() const { return last_error_; }

 private:
  explicit Fleet(FleetOptions options) : options_(std::move(options)) {}
  Expected<void> begin();
  bool greets(std::size_t place, const Frame& frame);
  bool joins(std::size_t place);
  void take_up(const DeviceInfo& device);
  bool has_any(Place::State state) const;
  double seconds_so_far() const;
  // False: the caller wants to stop.
  bool wait_a_little();
  void lost(std::size_t place, const std::string& why);

  FleetOptions options_;
  std::vector<Place> places_;
  std::unique_ptr<Streams> streams_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  bool has_device_ = false;
  DeviceInfo device_;
  std::vector<std::string> done_;  // fingerprints of devices that were at hand before
  Error last_error_{ErrorKind::backend, "", "no node has answered"};
};

// A device that other machines have: known by its description, and for nothing else. What would run
// something on it fails.
std::shared_ptr<Device> describe_device(const DeviceInfo& info);

}  // namespace vyre::fleet
