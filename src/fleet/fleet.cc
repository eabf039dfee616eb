#include "fleet/fleet.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "fleet/words.h"
#include "tune/worker/crew.h"

namespace vyre::fleet {
namespace {

using State = Place::State;

constexpr std::uint32_t kMostFalseStarts = 2;
constexpr double kAskSeconds = 0.1;  // how often the caller is asked whether to go on

class DescribedDevice final : public Device {
 public:
  explicit DescribedDevice(DeviceInfo info) : info_(std::move(info)) {}

  const DeviceInfo& info() const override { return info_; }
  Expected<std::unique_ptr<Buffer>> allocate(std::size_t) override { return elsewhere(); }
  Expected<std::shared_ptr<Kernel>> compile(const ir::Sequence&, std::uint32_t,
                                            const Specialisation&) override {
    return elsewhere();
  }
  Expected<std::unique_ptr<Timer>> make_timer() override { return elsewhere(); }
  Expected<void> finish() override { return {}; }

 private:
  static std::unexpected<Error> elsewhere() {
    return backend_error("this device is on other nodes; nothing runs on it from here");
  }

  DeviceInfo info_;
};

}  // namespace

std::shared_ptr<Device> describe_device(const DeviceInfo& info) {
  return std::make_shared<DescribedDevice>(info);
}

Expected<Fleet> Fleet::start(FleetOptions options) {
  Fleet out(std::move(options));
  VYRE_TRY_VOID(out.begin());
  return out;
}

Expected<void> Fleet::begin() {
  if (options_.nodes == 0) return bad_inputs("a fleet has at least one node; ask for more");
  VYRE_TRY(std::vector<std::string> command, split_words(options_.launcher));
  command.push_back(options_.program);
  command.insert(command.end(), options_.arguments.begin(), options_.arguments.end());
  places_.resize(options_.nodes);
  began_ = std::chrono::steady_clock::now();
  streams_ = std::make_unique<Streams>(std::move(command), places_.size(), options_.timing);
  for (std::size_t k = 0; k < places_.size(); ++k) streams_->start(k);
  while (!has_device_) {
    if (!wait_a_little()) {
      return fail(ErrorKind::backend, worker::kStopped, "stopped before a node had answered");
    }
    if (!has_hope()) return std::unexpected(last_error_);
  }
  return {};
}

double Fleet::seconds_so_far() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

bool Fleet::wait_a_little() {
  if (options_.on_wait && !options_.on_wait(seconds_so_far())) return false;
  wait(kAskSeconds);
  return true;
}

std::size_t Fleet::nodes_with_device() const {
  const std::string wanted = fingerprint(device_);
  return static_cast<std::size_t>(std::ranges::count_if(places_, [&](const Place& place) {
    const bool has_greeted = place.state != State::starting && place.state != State::out;
    return has_greeted && fingerprint(place.device) == wanted;
  }));
}

bool Fleet::has_any(Place::State state) const {
  return std::ranges::find(places_, state, &Place::state) != places_.end();
}

// A node of a device that is done has nothing to do any more, also if it answers only now.
Expected<bool> Fleet::turn() {
  done_.push_back(fingerprint(device_));
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const State state = places_[k].state;
    if (state == State::starting || state == State::waiting || state == State::out) continue;
    places_[k].state = State::out;
    streams_->end(k);
  }
  const double limit = std::chrono::duration<double>(options_.settle).count();
  while (!has_any(State::waiting) && has_any(State::starting) && seconds_so_far() < limit) {
    if (wait_a_little()) continue;
    return fail(ErrorKind::backend, worker::kStopped, "stopped while other nodes were waited for");
  }
  const auto next = std::ranges::find(places_, State::waiting, &Place::state);
  if (next == places_.end()) return false;
  take_up(DeviceInfo(next->device));
  return true;
}

void Fleet::take_up(const DeviceInfo& device) {
  device_ = device;
  has_device_ = true;
  for (Place& place : places_) {
    const bool has_it =
        place.state == State::waiting && fingerprint(place.device) == fingerprint(device_);
    if (has_it) place.state = State::idle;
  }
}

std::string Fleet::name_of(std::size_t place) const {
  const std::string& host = places_[place].host;
  return fmt::format("node {}{}", place + 1, host.empty() ? host : fmt::format(" ({})", host));
}

void Fleet::warn(std::string message) const {
  if (options_.events) {
    options_.events({.kind = EventKind::warning, .message = std::move(message)});
  }
}

std::vector<StreamEvent> Fleet::wait(double seconds) {
  std::vector<StreamEvent> out;
  for (StreamEvent& event : streams_->wait(seconds)) {
    const State state = places_[event.place].state;
    if (state == State::out || (state == State::waiting && event.frame)) continue;
    if (!event.frame) {
      lost(event.place, event.why);
    } else if (event.frame->kind == FrameKind::greeting && !greets(event.place, *event.frame)) {
      continue;
    }
    out.push_back(std::move(event));
  }
  return out;
}

// Whether it is one of the fleet now.
bool Fleet::greets(std::size_t place, const Frame& frame) {
  auto greeting = greeting_from(frame.content);
  if (!greeting) {
    dismiss(place, greeting.error().message);
    return false;
  }
  places_[place].host = greeting->host;
  if (greeting->version != kVersion) {
    dismiss(place, "its vyre-node is of another version; install the same");
  } else if (greeting->error) {
    dismiss(place, greeting->error->message);
  } else {
    places_[place].device = greeting->device;
    return joins(place);
  }
  return false;
}

// Whether its device is the one at hand.
bool Fleet::joins(std::size_t place) {
  Place& there = places_[place];
  if (!has_device_) take_up(there.device);
  const std::string identity = fingerprint(there.device);
  if (identity == fingerprint(device_)) {
    there.state = State::idle;
    return true;
  }
  if (std::ranges::find(done_, identity) != done_.end()) {
    there.state = State::out;
    streams_->end(place);
    return false;
  }
  there.state = State::waiting;
  warn(
      fmt::format("{} has another device ({} {}, driver {}); that has a campaign of its own, "
                  "behind this one",
                  name_of(place), there.device.backend, there.device.name, there.device.driver));
  return false;
}

void Fleet::lost(std::size_t place, const std::string& why) {
  Place& there = places_[place];
  last_error_ = {ErrorKind::backend, "", fmt::format("{} is lost: {}", name_of(place), why)};
  const bool is_out = ++there.false_starts >= kMostFalseStarts;
  warn(fmt::format("{}{}", last_error_.message, is_out ? "; it is left out" : "; started again"));
  there.state = is_out ? State::out : State::starting;
  there.ready = {};
  if (!is_out) streams_->start(place);
}

void Fleet::dismiss(std::size_t place, const std::string& why) {
  last_error_ = {ErrorKind::backend, "", fmt::format("{} is left out: {}", name_of(place), why)};
  warn(last_error_.message);
  places_[place].state = State::out;
  streams_->end(place);
}

void Fleet::refuse(std::size_t place, const Error& error) {
  last_error_ = error;
  warn(fmt::format("{} cannot do it: {}", name_of(place), error.message));
  places_[place].state = State::refused;
}

bool Fleet::has_hope() const {
  return std::ranges::any_of(places_, [](const Place& place) {
    return place.state != State::out && place.state != State::refused &&
           place.state != State::waiting;
  });
}

}  // namespace vyre::fleet
