// Link: a line to the server that can be cut. Nothing goes through a line that is cut, in either
// direction, and nobody is told: connections stay open, as they do behind a dead switch.

#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace vyre::testing {

class Link {
 public:
  explicit Link(const std::string& port);  // of the server, on loopback
  ~Link();

  const std::string& port() const { return port_; }
  void cut() { is_cut_ = true; }
  void heal() { is_cut_ = false; }

 private:
  struct Pair {
    int client = -1;
    int server = -1;
    bool is_open = true;
  };
  void run(const std::stop_token& stop);
  void accept_one();
  static bool forward(int from, int to);

  int server_port_;
  std::string port_;
  int listener_ = -1;
  std::atomic<bool> is_cut_ = false;
  std::vector<Pair> pairs_;  // of the thread
  std::jthread thread_;
};

}  // namespace vyre::testing
