#include "cli/supervised.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <new>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "base/files/file_descriptor.h"
#include "base/text.h"
#include "cli/command.h"

namespace vyre::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kError = 'e';  // followed by the kind, the code, a zero byte and the message

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string to_bytes(const Error& error) {
  std::string out{kError, static_cast<char>(error.kind)};
  out.append(error.code).push_back('\0');
  return out + error.message;
}

Error error_from(std::string_view bytes) {
  const std::size_t zero = std::min(bytes.find('\0', 1), bytes.size() - 1);
  return {.kind = static_cast<ErrorKind>(bytes[0]),
          .code = std::string(bytes.substr(1, zero - 1)),
          .message = std::string(bytes.substr(zero + 1))};
}

Expected<void> guarded(const std::function<Expected<void>(const Stages&)>& work, int pipe) {
  try {
    VYRE_TRY_VOID(work(Stages(pipe)));
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return io_error("{}", kNoOutput);
    return {};
  } catch (const std::system_error&) {  // of fmt::print
    return io_error("{}", kNoOutput);
  } catch (const std::bad_alloc&) {
    return backend_error("out of memory; give smaller shapes");
  }
}

// Drivers may hang in their destructors, so none is called.
[[noreturn]] void be_child(const std::function<Expected<void>(const Stages&)>& work, int pipe,
                           pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  const auto result = guarded(work, pipe);
  if (!result) {
    std::fflush(stdout);
    write_all(pipe, to_bytes(result.error()));
  }
  ::_exit(result ? 0 : 1);
}

// A child that was started. Killed when this goes.
class Child {
 public:
  Child(pid_t pid, FileDescriptor pipe, const std::string& name, const TimeLimits& limits)
      : pid_(pid), pipe_(std::move(pipe)), name_(quote(name)), limits_(limits) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    wait_for_end();
  }

  Expected<void> wait() {
    for (;;) {
      const int ready = wait_for_bytes();
      if (ready < 0 && errno == EINTR) continue;
      if (ready == 0 && deadline_ && Clock::now() < *deadline_) continue;
      if (ready == 0) return took_too_long();
      std::array<char, 4096> bytes{};
      const ssize_t got = ::read(pipe_.get(), bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return ended();
      take({bytes.data(), static_cast<std::size_t>(got)});
    }
  }

 private:
  int wait_for_bytes() const {
    pollfd wait{pipe_.get(), POLLIN, 0};
    if (!deadline_) return ::poll(&wait, 1, -1);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline_ - Clock::now());
    return ::poll(&wait, 1, static_cast<int>(std::clamp<long>(left.count(), 0, 1'000'000)));
  }

  void take(std::string_view bytes) {
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      if (!error_.empty() || bytes[k] == kError) {
        error_.append(bytes.substr(k));
        deadline_.reset();
        return;
      }
      stage_ = bytes[k];
      deadline_.reset();
      if (stage_ == 'c') deadline_ = Clock::now() + limits_.build;
      if (stage_ == 'r') deadline_ = Clock::now() + limits_.run;
    }
  }

  std::unexpected<Error> took_too_long() const {
    if (stage_ == 'c') {
      return backend_error(
          "{}: compiling took longer than {} ms and was given up; make the kernel smaller or raise "
          "--build-limit",
          name_, limits_.build.count());
    }
    return backend_error(
        "{}: running took longer than {} ms and was ended; give it less to do or raise --run-limit",
        name_, limits_.run.count());
  }

  Expected<void> ended() {
    const int status = wait_for_end();
    if (error_.size() > 2) return std::unexpected(error_from(std::string_view(error_).substr(1)));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
    const bool has_crashed = WIFSIGNALED(status);
    return backend_error("{}: the device's driver {} {}; try another device or a smaller program",
                         name_, has_crashed ? "crashed with signal" : "ended the process with code",
                         has_crashed ? WTERMSIG(status) : WEXITSTATUS(status));
  }

  int wait_for_end() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }

  pid_t pid_;
  FileDescriptor pipe_;
  std::string name_;
  TimeLimits limits_;
  char stage_ = 0;
  std::string error_;  // as to_bytes made it, as far as it has come
  std::optional<Clock::time_point> deadline_;
};

}  // namespace

void Stages::tell(char stage) const { write_all(pipe_, {&stage, 1}); }

Expected<void> supervised(const std::string& name, const TimeLimits& limits,
                          const std::function<Expected<void>(const Stages&)>& work) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return backend_error("cannot make a pipe: too many files?");
  FileDescriptor ours(ends[0]);
  FileDescriptor theirs(ends[1]);
  std::fflush(stdout);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return backend_error("cannot start a process: too many of them?");
  if (pid == 0) be_child(work, theirs.get(), parent);
  theirs.close();
  return Child(pid, std::move(ours), name, limits).wait();
}

}  // namespace vyre::cli
