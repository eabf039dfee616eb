#include "fleet/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace vyre::fleet {
namespace {

constexpr int kCannotStart = 127;

struct Pipe {
  FileDescriptor read;
  FileDescriptor write;
};

// Both above 2, so that neither is overwritten when a child arranges its standard streams.
Expected<Pipe> make_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return backend_error("cannot make a pipe for a node: {}", "too many open files?");
  }
  Pipe out;
  FileDescriptor read(ends[0]);
  FileDescriptor write(ends[1]);
  out.read = FileDescriptor(::fcntl(read.get(), F_DUPFD_CLOEXEC, 3));
  out.write = FileDescriptor(::fcntl(write.get(), F_DUPFD_CLOEXEC, 3));
  return out;
}

// Between fork and exec nothing may allocate or lock.
[[noreturn]] void become(char* const* arguments, pid_t parent, int input, int output) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(kCannotStart);
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (::dup2(input, 0) < 0 || ::dup2(output, 1) < 0) ::_exit(kCannotStart);
  ::close_range(3, ~0U, 0);
  ::execvp(arguments[0], arguments);
  ::_exit(kCannotStart);
}

}  // namespace

Expected<Child> Child::start(const std::vector<std::string>& command) {
  VYRE_TRY(Pipe in, make_pipe());
  VYRE_TRY(Pipe out, make_pipe());
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return backend_error("cannot start {}: too many processes?", quote(command[0]));
  if (pid == 0) become(arguments.data(), parent, in.read.get(), out.write.get());
  ::setpgid(pid, pid);
  ::fcntl(in.write.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(out.read.get(), F_SETFL, O_NONBLOCK);
  return Child(pid, std::move(in.write), std::move(out.read));
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      input_(std::move(other.input_)),
      output_(std::move(other.output_)),
      how_(std::move(other.how_)) {}

Child& Child::operator=(Child&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(input_, other.input_);
  std::swap(output_, other.output_);
  std::swap(how_, other.how_);
  return *this;
}

Child::~Child() {
  if (pid_ <= 0) return;
  kill();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Child::close_streams() {
  input_ = FileDescriptor();
  output_ = FileDescriptor();
}

void Child::ask_to_end() {
  if (pid_ > 0) ::kill(-pid_, SIGTERM);
}

void Child::kill() {
  if (pid_ > 0) ::kill(-pid_, SIGKILL);
}

std::optional<std::string> Child::ended() {
  if (pid_ <= 0) return how_;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  ::kill(-pid_, SIGKILL);  // what it has started
  pid_ = -1;
  how_ = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                             : fmt::format("exit code {}", WEXITSTATUS(status));
  return how_;
}

}  // namespace vyre::fleet
