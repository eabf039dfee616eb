#include "fleet/streams.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <random>
#include <thread>

#include "base/error.h"
#include "fleet/child.h"
#include "fleet/messages.h"

namespace vyre::fleet {

using Clock = std::chrono::steady_clock;

struct DataUnderWay {
  std::uint64_t job = 0;
  std::uint64_t blob = 0;
  SharedBytes bytes = {};
  std::size_t sent = 0;
};

// The state of one place.
struct StreamState {
  std::optional<Child> child = {};
  FrameReader reader = {};
  std::string nonce = {};
  std::string out = {};  // encoded, and not yet taken by the system
  std::size_t out_start = 0;
  std::deque<DataUnderWay> data = {};
  bool wants_start = false;
  bool has_greeted = false;
  std::optional<Clock::time_point> dismissed = {};  // no event of it is wanted
  Clock::time_point heard = {};
  Clock::time_point said = {};                  // the last hello or beat
  std::optional<Clock::time_point> ended = {};  // its stream; the launcher may be there still
  std::optional<Clock::time_point> asked = {};  // by SIGTERM
  std::string why = {};                         // it is lost
  bool is_told = false;                         // that it is lost

  bool is_up() const { return child && !ended; }
};

namespace {

constexpr std::chrono::milliseconds kLook{50};  // how often clocks and launchers are looked at
constexpr std::size_t kPieceBytes = std::size_t{256} << 10U;  // of data, in one frame
constexpr std::size_t kFullBytes = std::size_t{1} << 20U;  // waiting to be sent: no more data yet
// How long the end of a launcher is waited for after its stream has ended: its exit code tells
// people why.
constexpr std::chrono::milliseconds kLastWords{300};

std::string fresh_nonce() {
  std::random_device random;
  std::string out;
  for (int k = 0; k < 4; ++k) out += fmt::format("{:08x}", random());
  return out;
}

void put(StreamState& state, const Frame& frame) { state.out += encode(frame); }

}  // namespace

class Streams::Loop {
 public:
  Loop(std::vector<std::string> command, std::size_t places, const Timing& timing)
      : command_(std::move(command)),
        timing_(timing),
        states_(places),
        wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
        thread_([this] { run(); }) {}
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  ~Loop() {
    {
      const std::lock_guard lock(mutex_);
      is_ending_ = true;
      for (StreamState& state : states_) say_goodbye(state);
    }
    wake();
    thread_.join();
  }

  template <class Do>
  void with(std::size_t place, Do change) {
    {
      const std::lock_guard lock(mutex_);
      change(states_[place]);
    }
    wake();
  }

  void forget_events(std::size_t place) {
    const std::lock_guard lock(mutex_);
    std::erase_if(events_, [&](const StreamEvent& event) { return event.place == place; });
  }

  static void say_goodbye(StreamState& state) {
    state.wants_start = false;
    state.dismissed = Clock::now();
    if (state.is_up()) put(state, {FrameKind::bye});
    state.data.clear();
  }

  std::vector<StreamEvent> wait(double seconds) {
    std::unique_lock lock(mutex_);
    const auto limit = std::chrono::duration<double>(std::clamp(seconds, 0.0, 1e6));
    some_.wait_for(lock, limit, [&] { return !events_.empty(); });
    return std::exchange(events_, {});
  }

 private:
  void wake() const {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(wake_.get(), &one, sizeof one));
  }

  void run() {
    // A node that has gone is no reason to end this process.
    sigset_t pipe;
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    std::unique_lock lock(mutex_);
    while (!is_over()) {
      std::vector<pollfd> files = files_to_watch();
      lock.unlock();
      ::poll(files.data(), files.size(), static_cast<int>(kLook.count()));
      std::uint64_t ignored = 0;
      static_cast<void>(!::read(wake_.get(), &ignored, sizeof ignored));
      lock.lock();
      for (std::size_t k = 0; k < states_.size(); ++k) attend(k);
      if (!events_.empty()) some_.notify_one();
    }
  }

  // The process itself ends soon: launchers that do not are killed with their Child.
  bool is_over() {
    if (!is_ending_) return false;
    if (!ending_since_) ending_since_ = Clock::now();
    const bool is_late = Clock::now() - *ending_since_ > 2 * timing_.grace;
    return is_late ||
           std::ranges::none_of(states_, [](const StreamState& l) { return bool(l.child); });
  }

  std::vector<pollfd> files_to_watch() const {
    std::vector<pollfd> out{{wake_.get(), POLLIN, 0}};
    for (const StreamState& state : states_) {
      if (!state.is_up()) continue;
      out.push_back({state.child->output(), POLLIN, 0});
      if (state.out.size() > state.out_start) out.push_back({state.child->input(), POLLOUT, 0});
    }
    return out;
  }

  void attend(std::size_t place) {
    StreamState& state = states_[place];
    if (state.is_up()) read(place, state);
    if (state.is_up()) speak(state);
    if (state.is_up()) write(state);
    // It does not even take its goodbye.
    if (state.is_up() && state.dismissed && Clock::now() - *state.dismissed > timing_.grace / 2) {
      lost(state, "");
    }
    if (state.child && state.ended) see_off(place, state);
    if (!state.child && state.wants_start) begin(place, state);
  }

  void begin(std::size_t place, StreamState& state) {
    state = StreamState{.nonce = fresh_nonce(), .heard = Clock::now()};
    auto child = Child::start(command_);
    if (!child) {
      events_.push_back({.place = place, .why = child.error().message});
      return;
    }
    state.child.emplace(*std::move(child));
  }

  // ---- What comes

  void read(std::size_t place, StreamState& state) {
    std::array<char, 65536> bytes{};
    for (;;) {
      const ssize_t got = ::read(state.child->output(), bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) break;
      if (got <= 0) return lost(state, "its stream has ended");
      state.reader.add({bytes.data(), static_cast<std::size_t>(got)});
      if (!take_frames(place, state)) return;
    }
    // Only now: what waits to be read is no silence, even if this process stood still.
    if (state.reader.is_open() && Clock::now() - state.heard > timing_.lost) {
      lost(state, fmt::format("it was silent for {} s",
                              std::chrono::duration<double>(timing_.lost).count()));
    }
  }

  bool take_frames(std::size_t place, StreamState& state) {
    for (;;) {
      auto next = state.reader.next();
      if (!next) {
        lost(state, next.error().message);
        return false;
      }
      if (!*next) return true;
      state.heard = Clock::now();
      take(place, state, **std::move(next));
    }
  }

  // A greeting counts if it answers this start's hello; everything else comes behind it.
  void take(std::size_t place, StreamState& state, Frame frame) {
    if (frame.kind == FrameKind::beat || state.dismissed) return;
    if (frame.kind == FrameKind::greeting) {
      const auto greeting = greeting_from(frame.content);
      if (greeting && (state.has_greeted || greeting->nonce != state.nonce)) return;
      state.has_greeted = true;
    } else if (!state.has_greeted) {
      return;
    }
    events_.push_back({.place = place, .frame = std::move(frame)});
  }

  // ---- What goes

  void speak(StreamState& state) {
    const auto now = Clock::now();
    const auto pause = state.has_greeted ? timing_.beat : timing_.hello;
    if (now - state.said >= pause) {
      state.said = now;
      put(state, state.has_greeted ? Frame{FrameKind::beat}
                                   : Frame{FrameKind::hello, to_bytes(Hello{state.nonce})});
    }
    while (!state.data.empty() && state.out.size() - state.out_start < kFullBytes) {
      DataUnderWay& data = state.data.front();
      const std::size_t count = std::min(kPieceBytes, data.bytes->size() - data.sent);
      const auto* from = reinterpret_cast<const char*>(data.bytes->data()) + data.sent;
      put(state,
          {FrameKind::data, to_bytes(DataMessage{data.job, data.blob, std::string(from, count)})});
      data.sent += count;
      if (data.sent == data.bytes->size()) state.data.pop_front();
    }
  }

  void write(StreamState& state) {
    while (state.out.size() > state.out_start) {
      const ssize_t sent = ::write(state.child->input(), state.out.data() + state.out_start,
                                   state.out.size() - state.out_start);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0 && errno == EAGAIN) return;
      if (sent < 0) return lost(state, "its stream has ended");
      state.out_start += static_cast<std::size_t>(sent);
    }
    state.out.clear();
    state.out_start = 0;
    if (state.dismissed) lost(state, "");
  }

  // ---- The end

  void lost(StreamState& state, std::string why) {
    state.ended = Clock::now();
    state.why = std::move(why);
    state.child->close_streams();
  }

  // A node that was told to end does so by itself, and its launcher with it.
  void see_off(std::size_t place, StreamState& state) {
    const auto now = Clock::now();
    const auto how = state.child->ended();
    if (!state.is_told && (how || now - *state.ended > kLastWords)) {
      state.is_told = true;
      if (how) state.why += fmt::format(" (its launcher ended with {})", *how);
      if (!state.dismissed) events_.push_back({.place = place, .why = state.why});
    }
    if (how) {
      state.child.reset();
      return;
    }
    const bool was_told_to_end = state.dismissed && now - *state.ended < timing_.grace / 2;
    if (!state.asked && !was_told_to_end && state.is_told) {
      state.asked = now;
      state.child->ask_to_end();
    }
    if (state.asked && now - *state.asked > timing_.grace) state.child->kill();
  }

  const std::vector<std::string> command_;
  const Timing timing_;
  std::mutex mutex_;  // over all below
  std::condition_variable some_;
  std::vector<StreamState> states_;
  std::vector<StreamEvent> events_;
  bool is_ending_ = false;
  std::optional<Clock::time_point> ending_since_;
  FileDescriptor wake_;
  std::thread thread_;  // last: it uses the others
};

Streams::Streams(std::vector<std::string> command, std::size_t places, const Timing& timing)
    : loop_(std::make_unique<Loop>(std::move(command), places, timing)) {}
Streams::~Streams() = default;

void Streams::start(std::size_t place) {
  loop_->with(place, [](StreamState& state) { state.wants_start = true; });
}

void Streams::send(std::size_t place, FrameKind kind, std::string content) {
  loop_->with(place, [&](StreamState& state) {
    if (state.is_up()) put(state, {kind, std::move(content)});
  });
}

void Streams::send_data(std::size_t place, std::uint64_t job, std::uint64_t blob,
                        SharedBytes bytes) {
  loop_->with(place, [&](StreamState& state) {
    if (state.is_up()) state.data.push_back({job, blob, std::move(bytes)});
  });
}

void Streams::end(std::size_t place) {
  loop_->with(place, [](StreamState& state) { Loop::say_goodbye(state); });
  loop_->forget_events(place);
}

std::vector<StreamEvent> Streams::wait(double seconds) { return loop_->wait(seconds); }

}  // namespace vyre::fleet
