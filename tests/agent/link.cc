#include "agent/link.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "base/check.h"

namespace vyre::testing {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  out.sin_port = htons(static_cast<std::uint16_t>(port));
  return out;
}

}  // namespace

Link::Link(const std::string& port) : server_port_(std::stoi(port)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t bytes = sizeof address;
  VYRE_CHECK(::bind(listener_, reinterpret_cast<sockaddr*>(&address), bytes) == 0);
  ::listen(listener_, 64);
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &bytes);
  port_ = std::to_string(ntohs(address.sin_port));
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Link::~Link() {
  thread_.request_stop();
  thread_.join();
  for (const Pair& pair : pairs_) {
    ::close(pair.client);
    ::close(pair.server);
  }
  ::close(listener_);
}

void Link::accept_one() {
  Pair pair{.client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC),
            .server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const sockaddr_in address = loopback(server_port_);
  pair.is_open =
      ::connect(pair.server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  pairs_.push_back(pair);
}

// False: one side has ended.
bool Link::forward(int from, int to) {
  std::array<char, 65536> bytes;
  const ssize_t got = ::recv(from, bytes.data(), bytes.size(), 0);
  if (got <= 0) return false;
  return ::send(to, bytes.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL) == got;
}

void Link::run(const std::stop_token& stop) {
  constexpr int kLookMs = 10;  // at the switch
  while (!stop.stop_requested()) {
    std::vector<pollfd> fds;
    if (!is_cut_) {
      fds.push_back({.fd = listener_, .events = POLLIN, .revents = 0});
      for (const Pair& pair : pairs_) {
        const auto events = static_cast<short>(pair.is_open ? POLLIN : 0);
        fds.push_back({.fd = pair.is_open ? pair.client : -1, .events = events, .revents = 0});
        fds.push_back({.fd = pair.is_open ? pair.server : -1, .events = events, .revents = 0});
      }
    }
    ::poll(fds.data(), fds.size(), kLookMs);
    for (std::size_t k = 1; k + 1 < fds.size(); k += 2) {
      Pair& pair = pairs_[(k - 1) / 2];
      const bool goes_on = (fds[k].revents == 0 || forward(pair.client, pair.server)) &&
                           (fds[k + 1].revents == 0 || forward(pair.server, pair.client));
      if (goes_on) continue;
      pair.is_open = false;
      ::shutdown(pair.client, SHUT_RDWR);
      ::shutdown(pair.server, SHUT_RDWR);
    }
    if (!fds.empty() && fds[0].revents != 0) accept_one();
  }
}

}  // namespace vyre::testing
