#include "fleet/fleet.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "fleet/words.h"
#include "tune/worker/crew.h"

namespace vyre::fleet {
namespace {

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
  streams_ = std::make_unique<Streams>(std::move(command), places_.size(), options_.timing);
  for (std::size_t k = 0; k < places_.size(); ++k) streams_->start(k);
  const auto began = std::chrono::steady_clock::now();
  while (!has_device_) {
    const double now =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (options_.on_wait && !options_.on_wait(now)) {
      return fail(ErrorKind::backend, worker::kStopped, "stopped before a node had answered");
    }
    wait(kAskSeconds);
    if (!has_hope()) return std::unexpected(last_error_);
  }
  return {};
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
    if (places_[event.place].state == Place::State::out) continue;
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
  } else if (has_device_ && fingerprint(greeting->device) != fingerprint(device_)) {
    dismiss(place,
            fmt::format("its device is another one ({} {}, driver {}); tune for it in a "
                        "campaign of its own",
                        greeting->device.backend, greeting->device.name, greeting->device.driver));
  } else {
    if (!has_device_) device_ = greeting->device;
    has_device_ = true;
    places_[place].state = Place::State::idle;
    return true;
  }
  return false;
}

void Fleet::lost(std::size_t place, const std::string& why) {
  Place& there = places_[place];
  last_error_ = {ErrorKind::backend, "", fmt::format("{} is lost: {}", name_of(place), why)};
  const bool is_out = ++there.false_starts >= kMostFalseStarts;
  warn(fmt::format("{}{}", last_error_.message, is_out ? "; it is left out" : "; started again"));
  there.state = is_out ? Place::State::out : Place::State::starting;
  there.ready = {};
  if (!is_out) streams_->start(place);
}

void Fleet::dismiss(std::size_t place, const std::string& why) {
  last_error_ = {ErrorKind::backend, "", fmt::format("{} is left out: {}", name_of(place), why)};
  warn(last_error_.message);
  places_[place].state = Place::State::out;
  streams_->end(place);
}

void Fleet::refuse(std::size_t place, const Error& error) {
  last_error_ = error;
  warn(fmt::format("{} cannot do it: {}", name_of(place), error.message));
  places_[place].state = Place::State::refused;
}

bool Fleet::has_hope() const {
  return std::ranges::any_of(places_, [](const Place& place) {
    return place.state != Place::State::out && place.state != Place::State::refused;
  });
}

}  // namespace vyre::fleet
