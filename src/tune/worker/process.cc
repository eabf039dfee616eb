#include "tune/worker/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <thread>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "tune/worker/scratch.h"

namespace vyre::worker {
namespace {

constexpr int kCannotStart = 127;
// How often and how long to look whether a process stands still: a second in all.
constexpr int kHoldSteps = 10'000;
constexpr std::chrono::microseconds kHoldStep{100};

// Between fork and exec nothing may allocate or lock: only plain system calls.
[[noreturn]] void become_worker(const char* executable, pid_t parent, std::array<int, 3> files) {
  ::setpgid(0, 0);  // Ctrl-C is the campaign's business
  // One that is held cannot see that its campaign has ended.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kCannotStart);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int standard : {0, 1, 2}) ::dup2(nothing, standard);
  // All are above kReferenceFd, so none is overwritten before it is copied.
  int to = kSocketFd;
  for (const int file : files) {
    if (::dup2(file, to++) < 0) ::_exit(kCannotStart);
  }
  ::close_range(kReferenceFd + 1, ~0U, 0);
  char* const arguments[] = {const_cast<char*>(executable), nullptr};
  ::execv(executable, arguments);
  ::_exit(kCannotStart);
}

// A copy of the descriptor that is none of 0 to 5.
FileDescriptor out_of_the_way(int fd) {
  return FileDescriptor(::fcntl(fd, F_DUPFD_CLOEXEC, kReferenceFd + 1));
}

}  // namespace

Expected<Process> Process::start(const std::filesystem::path& executable, int job, int reference) {
  if (::access(executable.c_str(), X_OK) != 0) {
    return bad_inputs("there is no program {}; install vyre-worker there, or tune in process",
                      quote_path(executable.native()));
  }
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return backend_error("cannot make a socket for a worker process");
  }
  FileDescriptor ours(ends[0]);
  FileDescriptor theirs(ends[1]);
  const FileDescriptor socket_copy = out_of_the_way(theirs.get());
  const FileDescriptor job_copy = out_of_the_way(job);
  const FileDescriptor reference_copy = out_of_the_way(reference);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return backend_error("cannot start a worker process: too many processes?");
  if (pid == 0) {
    become_worker(executable.c_str(), parent,
                  {socket_copy.get(), job_copy.get(), reference_copy.get()});
  }
  // Both sides set the group: this process may have to hold the worker before the worker has run.
  ::setpgid(pid, pid);
  return Process(std::move(ours), pid);
}

Process::Process(Process&& other) noexcept
    : socket_(std::move(other.socket_)),
      pid_(std::exchange(other.pid_, -1)),
      scratch_(std::exchange(other.scratch_, {})) {}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(socket_, other.socket_);
  std::swap(pid_, other.pid_);
  std::swap(scratch_, other.scratch_);
  return *this;
}

Process::~Process() {
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);  // where it did not come as far as to have a group of its own
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  clean_scratch(scratch_);
}

// It has closed its socket, so it ends now if it has not already.
std::uint64_t Process::resident_bytes() const { return vyre::resident_bytes(pid_); }

std::string Process::how_it_ended() {
  int status = 0;
  pid_t ended = 0;
  for (int k = 0; k < 200 && ended == 0; ++k) {
    ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (ended != pid_) return "it closed its connection";
  ::kill(-pid_, SIGKILL);  // what it has started
  pid_ = -1;
  if (WIFSIGNALED(status)) return fmt::format("it crashed (signal {})", WTERMSIG(status));
  return fmt::format("it ended with exit code {}", WEXITSTATUS(status));
}

Expected<void> Process::greet(const std::string& device) {
  const auto text = receive_message(socket_.get(), kStartSeconds);
  if (!text) {
    return fail(ErrorKind::backend, kNotUp, "vyre-worker does not come up: {}",
                text.error() == Silence::closed ? how_it_ended() : "no answer");
  }
  VYRE_TRY(const Greeting greeting, greeting_from(*text));
  scratch_ = greeting.scratch;
  if (greeting.error) return std::unexpected(*greeting.error);
  if (greeting.version != kVersion) {
    return backend_error("vyre-worker is of another version: install both of the same");
  }
  if (greeting.device != device) {
    return backend_error(
        "vyre-worker finds another device than this process: name it by its number");
  }
  return {};
}

bool Process::send(const Request& request) {
  return send_message(socket_.get(), to_json(request)).has_value();
}

std::expected<Reply, NoReply> Process::receive(double seconds) {
  const auto text = receive_message(socket_.get(), seconds);
  if (!text && text.error() == Silence::timed_out) {
    return std::unexpected(
        NoReply{Silence::timed_out, fmt::format("it took more than {:.3g} s", seconds)});
  }
  if (!text) return std::unexpected(NoReply{Silence::closed, how_it_ended()});
  auto reply = reply_from(*text);
  if (!reply) return std::unexpected(NoReply{Silence::closed, reply.error().message});
  return *std::move(reply);
}

bool Process::hold() {
  ::kill(-pid_, SIGSTOP);
  for (int k = 0; k < kHoldSteps; ++k) {
    siginfo_t seen{};
    ::waitid(P_PID, static_cast<id_t>(pid_), &seen, WSTOPPED | WEXITED | WNOHANG | WNOWAIT);
    if (seen.si_pid == pid_) {
      ::waitid(P_PID, static_cast<id_t>(pid_), &seen, WSTOPPED | WNOHANG);
      return true;
    }
    std::this_thread::sleep_for(kHoldStep);
  }
  return false;
}

void Process::go_on() { ::kill(-pid_, SIGCONT); }

}  // namespace vyre::worker
