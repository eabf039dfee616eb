// The messages between a campaign and its workers.
//
// Requests and replies go over a socket (kSocketFd), each as a 32-bit length and so many bytes of
// JSON. The worker speaks first: a greeting with its version. Both ends come from one build; a
// worker of another version is refused.

#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "vyre/tune.h"

namespace vyre::worker {

inline constexpr int kSocketFd = 3;
inline constexpr int kVersion = 4;

enum class Task : std::uint8_t {
  begin,  // run the default configuration: what the others are compared with
  compile,
  verify,  // run once and compare the output
  sample,
  race,   // sample a finalist, which is verified more thoroughly
  probe,  // compile and run a small kernel that nobody has compiled before, and the default
  facts,  // tell what the compiler made of it
};

struct Request {
  Task task = Task::begin;
  Config config = {};
};

struct Reply {
  bool is_launched = false;  // not the reply yet: all is compiled, and a run begins now
  Result result = {};
  bool has_damage = false;                // memory beside a buffer was written
  double kernel_seconds = 0;              // spent compiling and running
  std::string why = {};                   // of a status that is not ok, for people
  std::vector<KernelFacts> kernels = {};  // of Task::facts
  std::optional<Error> error = {};
};

struct Greeting {
  int version = 0;
  std::string device = {};   // fingerprint of it
  std::string scratch = {};  // folder of its temporary files (scratch.h)
  std::optional<Error> error = {};
};

std::string to_json(const Request& request);
std::string to_json(const Reply& reply);
std::string to_json(const Greeting& greeting);
Expected<Request> request_from(std::string_view json);
// Refused if a number in it cannot be, or a text in it is not fit for people: a worker that sends
// such a reply is not to be believed in anything else.
Expected<Reply> reply_from(std::string_view json);
Expected<Greeting> greeting_from(std::string_view json);

// Whether it can be the reply to that task: a run that was timed has taken some time.
Expected<void> check_reply(const Reply& reply, Task task);

// Whole messages over a socket. `seconds`: how long to wait for one at most.
Expected<void> send_message(int socket, std::string_view text);
enum class Silence : std::uint8_t { closed, timed_out };
std::expected<std::string, Silence> receive_message(int socket, double seconds);

}  // namespace vyre::worker
