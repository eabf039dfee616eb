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
#include <cstring>
#include <new>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "base/files/file_descriptor.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"

namespace vyre::cli {
namespace {

using Clock = std::chrono::steady_clock;

// How often the memory of a compiler is looked at.
constexpr std::chrono::milliseconds kLook{100};
constexpr std::uint64_t kBufferCopies = 2;  // of each buffer: one here, and one of the device's
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

// Compilers say on standard error what their log says, too.
void silence_stderr() {
  const FileDescriptor nothing(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (nothing.get() >= 0) ::dup2(nothing.get(), STDERR_FILENO);
}

// Drivers may hang in their destructors, so none is called.
[[noreturn]] void be_child(const std::function<Expected<void>(const Stages&)>& work, int pipe,
                           pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  silence_stderr();
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
  Child(pid_t pid, FileDescriptor pipe, const std::string& name, const Limits& limits)
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
      if (takes_too_much()) return took_too_much();
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
    const long most = stage_ == 'c' ? kLook.count() : 1'000'000;
    return ::poll(&wait, 1, static_cast<int>(std::clamp<long>(left.count(), 0, most)));
  }

  bool takes_too_much() const {
    return stage_ == 'c' && limits_.build_memory != 0 && resident_bytes(pid_) > most_bytes_;
  }

  void take(std::string_view bytes) {
    for (said_.append(bytes); !said_.empty() && said_[0] != kError;) {
      const std::size_t length = said_[0] == 'c' ? 1 + sizeof(std::uint64_t) : 1;
      if (said_.size() < length) return;
      enter(said_.substr(0, length));
      said_.erase(0, length);
    }
    if (!said_.empty()) deadline_.reset();
  }

  void enter(const std::string& stage) {
    stage_ = stage[0];
    deadline_.reset();
    if (stage_ == 'r') deadline_ = Clock::now() + limits_.run;
    if (stage_ != 'c') return;
    deadline_ = Clock::now() + limits_.build;
    std::uint64_t buffer_bytes = 0;
    std::memcpy(&buffer_bytes, stage.data() + 1, sizeof buffer_bytes);
    most_bytes_ =
        saturating_sum(resident_bytes(pid_) + saturating_product(kBufferCopies, buffer_bytes),
                       limits_.build_memory);
  }

  std::unexpected<Error> took_too_much() const {
    return backend_error(
        "{}: compiling took more than {} MiB of memory and was given up; make the kernel smaller "
        "or raise --build-memory",
        name_, limits_.build_memory >> 20U);
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
    if (said_.size() > 2) return std::unexpected(error_from(std::string_view(said_).substr(1)));
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
  Limits limits_;
  char stage_ = 0;
  std::uint64_t most_bytes_ = 0;  // that it may have in use while it compiles
  std::string said_;  // and not yet understood; an error as to_bytes made it, as far as it has come
  std::optional<Clock::time_point> deadline_;
};

}  // namespace

void Stages::compiling(std::uint64_t buffer_bytes) const {
  std::string message{'c'};
  message.append(reinterpret_cast<const char*>(&buffer_bytes), sizeof buffer_bytes);
  write_all(pipe_, message);
}

void Stages::tell(char stage) const { write_all(pipe_, {&stage, 1}); }

Expected<void> supervised(const std::string& name, const Limits& limits,
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
