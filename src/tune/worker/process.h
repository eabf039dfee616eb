// Process: a running worker, as the campaign sees it. Killed, with all it started, when this goes.

#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>

#include "tune/worker/job.h"
#include "tune/worker/messages.h"

namespace vyre::worker {

// Why there was no reply.
struct NoReply {
  Silence silence = Silence::closed;
  std::string what = {};  // for people: "it crashed (signal 11)", "it took more than 10 s"
};

class Process {
 public:
  // Does not wait until it is up. `job` is what write_job gave, and may serve many processes.
  static Expected<Process> start(const std::filesystem::path& executable, int job);
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  ~Process();

  // Takes the worker's greeting. A worker of another version, or on another device than the one
  // with this fingerprint, is an error, as is one that does not come up.
  Expected<void> greet(const std::string& device);

  std::expected<Reply, NoReply> ask(const Request& request, double seconds);

  // The two halves of `ask`, for callers that do something else in between.
  bool send(const Request& request);
  std::expected<Reply, NoReply> receive(double seconds);
  int socket() const { return socket_.get(); }

 private:
  Process(FileDescriptor socket, pid_t pid) : socket_(std::move(socket)), pid_(pid) {}
  std::string how_it_ended();

  FileDescriptor socket_;
  pid_t pid_ = -1;  // also the number of its process group
};

}  // namespace vyre::worker
