// Streams: the streams to all nodes of a fleet, and the launchers that carry them.
//
// A launcher is a program that starts another one somewhere and carries its standard input and
// output: srun, mpirun, ssh, or env for this machine. Its exit code is not believed: one that lost
// its node may end with 0, or not at all. So only frames count. Both sides send a beat every two
// seconds; a node is lost if its stream ends, is damaged, or has been silent for eight seconds, and
// a node that hears nothing for fifteen ends itself. The campaign speaks first, and repeats that
// until it is greeted, because some launchers lose what is sent before their program is up.
//
// A launcher is asked to end (SIGTERM) before it is killed: an srun that is killed leaves its task
// running.
//
// All of this goes on in a thread of its own, however long the caller thinks. The functions are for
// one thread.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fleet/frame.h"

namespace vyre::fleet {

struct Timing {
  std::chrono::milliseconds hello{500};  // between two, until the node greets
  std::chrono::milliseconds beat{2'000};
  std::chrono::milliseconds lost{8'000};   // of silence, once there was a frame
  std::chrono::milliseconds end{15'000};   // of silence, for a node
  std::chrono::milliseconds grace{2'000};  // from SIGTERM to SIGKILL
};

// What has happened at a place, of which each has one node at a time.
struct StreamEvent {
  std::size_t place = 0;
  std::optional<Frame> frame = {};  // none: the node is lost, and nothing else comes from there
  std::string why = {};             // it is lost, for people
};

// The bytes of an input, for as long as somebody sends them.
using SharedBytes = std::shared_ptr<const std::vector<std::byte>>;

class Streams {
 public:
  // `command`: the launcher, its arguments, vyre-node and its arguments. Starts nothing yet.
  Streams(std::vector<std::string> command, std::size_t places, const Timing& timing);
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  // Tells all nodes to end and waits for their launchers, at most twice the grace.
  ~Streams();

  // Starts a node there, as soon as the launcher of the one before has ended.
  void start(std::size_t place);
  // To a node that has greeted; dropped if it is gone.
  void send(std::size_t place, FrameKind kind, std::string content);
  // The same for data of any size, in pieces. `blob` and `job` name it.
  void send_data(std::size_t place, std::uint64_t job, std::uint64_t blob, SharedBytes bytes);
  // Ends the node there. No event of it is given from now on.
  void end(std::size_t place);

  // What has come since the last call; waits for something if there is nothing yet. Beats and
  // greetings that were not asked for are left out.
  std::vector<StreamEvent> wait(double seconds);

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace vyre::fleet
