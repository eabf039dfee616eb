#include "testing/run_command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace vyre::testing {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  Pipe() { VYRE_CHECK(pipe2(ends.data(), O_CLOEXEC) == 0); }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_end(std::size_t i) {
    if (ends[i] >= 0) close(std::exchange(ends[i], -1));
  }
  std::array<int, 2> ends{};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> merged_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto name = text.substr(0, text.find('=') + 1);
    const auto replaces = [&](const std::string& change) { return change.starts_with(name); };
    if (std::ranges::none_of(changes, replaces)) out.emplace_back(text);
  }
  out.insert(out.end(), changes.begin(), changes.end());
  return out;
}

// 0 or the error number of posix_spawn. The child leads a process group of its own, so that a
// timeout reaches everything that it has started.
int spawn(std::vector<std::string> argv, const CommandOptions& options, Pipe& out, Pipe& err,
          pid_t& child) {
  auto environment = merged_environment(options.environment);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawnp(&child, argv[0].c_str(), &actions, &attributes,
                                 pointers(argv).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

// Reads the available bytes; closes the end when no more will come.
void drain(Pipe& pipe, std::string& text) {
  std::array<char, 4096> chunk{};
  const ssize_t n = read(pipe.ends[0], chunk.data(), chunk.size());
  if (n > 0) text.append(chunk.data(), static_cast<std::size_t>(n));
  if (n == 0) pipe.close_end(0);
}

// Until both ends are closed by the other side; false when the time is up first.
bool collect(Pipe& out, Pipe& err, CommandResult& result, Clock::time_point deadline) {
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    // poll skips negative descriptors.
    std::array<pollfd, 2> polled{pollfd{out.ends[0], POLLIN, 0}, pollfd{err.ends[0], POLLIN, 0}};
    poll(polled.data(), polled.size(), static_cast<int>(left.count()));
    if (polled[0].revents != 0) drain(out, result.out);
    if (polled[1].revents != 0) drain(err, result.err);
  }
  return true;
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& argv, const CommandOptions& options) {
  VYRE_CHECK(!argv.empty());
  CommandResult result;
  Pipe out;
  Pipe err;
  pid_t child = 0;
  if (const int error = spawn(argv, options, out, err, child); error != 0) {
    result.exit_code = 127;
    result.err = argv[0] + ": " + std::strerror(error);
    return result;
  }
  out.close_end(1);
  err.close_end(1);
  result.timed_out = !collect(out, err, result, Clock::now() + options.timeout);
  if (result.timed_out) kill(-child, SIGKILL);
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  result.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace vyre::testing
