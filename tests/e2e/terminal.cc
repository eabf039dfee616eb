#include "terminal.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/check.h"

namespace vyre {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point after(double seconds) {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

struct Stat {
  char state = 'X';
  pid_t parent = 0;
};

// The name of a program is in brackets, and may have brackets and spaces of its own.
Stat stat_of(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(in, line);
  Stat out;
  const std::size_t end = line.rfind(')');
  if (end == std::string::npos || end + 4 > line.size()) return out;
  out.state = line[end + 2];
  out.parent = std::atoi(line.c_str() + end + 4);
  return out;
}

}  // namespace

Terminal::Terminal(std::vector<std::string> argv, std::vector<std::string> environment) {
  std::vector<char*> arguments;
  for (std::string& argument : argv) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  child_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
  VYRE_CHECK(child_ >= 0);
  if (child_ != 0) return;
  for (std::string& entry : environment) ::putenv(entry.data());
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

Terminal::~Terminal() {
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  ::close(terminal_);
}

bool Terminal::read_some(double seconds) {
  pollfd ready{terminal_, POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(1000 * seconds)) <= 0) return false;
  std::array<char, 4096> chunk{};
  const ssize_t n = ::read(terminal_, chunk.data(), chunk.size());
  if (n > 0) text_.append(chunk.data(), static_cast<std::size_t>(n));
  return n > 0;
}

bool Terminal::wait_for(const std::string& text, double seconds) {
  const auto deadline = after(seconds);
  while (text_.find(text) == std::string::npos) {
    if (Clock::now() >= deadline || !is_alive(child_)) return false;
    read_some(0.05);
  }
  return true;
}

std::optional<int> Terminal::wait_for_end(double seconds) {
  const auto deadline = after(seconds);
  while (Clock::now() < deadline) {
    read_some(0.02);
    int status = 0;
    if (::waitpid(child_, &status, WNOHANG) != child_) continue;
    child_ = -1;
    while (read_some(0)) {
    }
    return status;
  }
  return std::nullopt;
}

void Terminal::kill(int signal) const { ::kill(child_, signal); }

std::vector<pid_t> Terminal::children() const {
  std::vector<pid_t> out;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid > 0 && stat_of(pid).parent == child_) out.push_back(pid);
  }
  return out;
}

bool is_alive(pid_t pid) {
  const char state = stat_of(pid).state;
  return state != 'X' && state != 'Z';
}

}  // namespace vyre
