// Process: a program that runs beside the test, and ends with it.

#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

namespace vyre::testing {

class Process {
 public:
  // `environment`: "NAME=value", on top of ours. Both output streams go to the file `log`.
  Process(const std::vector<std::string>& argv, std::filesystem::path log,
          const std::vector<std::string>& environment = {});
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();  // kills it if it still runs

  void signal(int number) const;
  // Its exit code; -1: it was ended by a signal.
  int wait();
  // SIGINT, and its end.
  int stop() {
    signal(SIGINT);
    return wait();
  }
  bool is_running();
  std::string output() const;

 private:
  std::filesystem::path log_;
  int pid_ = -1;
  int status_ = 0;
};

// Looks every 20 ms. False: it did not become true within the limit.
template <class Predicate>
bool becomes_true(const Predicate& predicate,
                  std::chrono::seconds limit = std::chrono::seconds(30));

}  // namespace vyre::testing

#include <thread>

template <class Predicate>
bool vyre::testing::becomes_true(const Predicate& predicate, std::chrono::seconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (!predicate()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}
