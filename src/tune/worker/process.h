// Process: a running worker, as the campaign sees it. Killed, with all it started, when this goes;
// its temporary files go, too.

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
  static constexpr const char* kNotUp = "not up";
  static constexpr double kStartSeconds = 60;  // a driver's first start may compile its own library

  // Does not wait until it is up. `job` is what write_job gave and `reference` what
  // make_reference_file gave; both may serve many processes. It ends with the thread that starts
  // it.
  static Expected<Process> start(const std::filesystem::path& executable, int job, int reference);
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  ~Process();

  // Takes the worker's greeting. A worker of another version, or on another device than the one
  // with this fingerprint, is an error, as is one that does not come up, with the code kNotUp.
  Expected<void> greet(const std::string& device);

  bool send(const Request& request);
  // Of one that has closed its socket, for people.
  std::string how_it_ended();
  std::expected<Reply, NoReply> receive(double seconds);
  int socket() const { return socket_.get(); }
  std::uint64_t resident_bytes() const;

  // Holds it and all that it started; true once it is known to stand still, or has ended. `go_on`
  // undoes it.
  bool hold();
  void go_on();

 private:
  Process(FileDescriptor socket, pid_t pid) : socket_(std::move(socket)), pid_(pid) {}

  FileDescriptor socket_;
  pid_t pid_ = -1;  // also the number of its process group
  std::filesystem::path scratch_;
};

}  // namespace vyre::worker
