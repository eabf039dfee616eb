#include "agent/process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace vyre::testing {

Process::Process(const std::vector<std::string>& argv, std::filesystem::path log,
                 const std::vector<std::string>& environment)
    : log_(std::move(log)) {
  // All memory is allocated before the fork: other threads of the test may hold the allocator.
  std::vector<std::string> words{"env"};
  words.insert(words.end(), environment.begin(), environment.end());
  words.insert(words.end(), argv.begin(), argv.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int out = ::open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(in, 0);
    ::dup2(out, 1);
    ::dup2(out, 2);
    ::execvp(pointers[0], pointers.data());
    ::_exit(127);
  }
  ::close(out);
  ::close(in);
}

Process::~Process() {
  if (!is_running()) return;
  signal(SIGKILL);
  signal(SIGCONT);
  wait();
}

void Process::signal(int number) const {
  if (pid_ > 0) ::kill(pid_, number);
}

int Process::wait() {
  if (pid_ > 0) ::waitpid(pid_, &status_, 0);
  pid_ = -1;
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
}

bool Process::is_running() {
  if (pid_ > 0 && ::waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = -1;
  return pid_ > 0;
}

std::string Process::output() const {
  std::ifstream in(log_);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace vyre::testing
