#include "tune/worker/messages.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>

#include "base/error.h"
#include "base/json_value.h"
#include "recording/status.h"

namespace vyre::worker {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLongestSeconds = 1e6;  // more would overflow a clock
constexpr std::array<std::string_view, 7> kTasks{"begin", "compile", "verify", "sample",
                                                 "race",  "probe",   "facts"};
constexpr std::uint32_t kMostBytes = 16U << 20U;
constexpr double kMostMs = 1e9;  // eleven days: no limit for a run is longer

Json json_of(const std::optional<Error>& error) {
  if (!error) return nullptr;
  return {
      {"kind", static_cast<int>(error->kind)}, {"code", error->code}, {"message", error->message}};
}

std::optional<Error> error_from(const Json& json) {
  const auto it = json.find("error");
  if (it == json.end() || !it->is_object()) return std::nullopt;
  const int kind = it->value("kind", 0);
  return Error{static_cast<ErrorKind>(std::clamp(kind, 0, static_cast<int>(ErrorKind::io))),
               it->value("code", ""), it->value("message", "")};
}

Json json_of(const std::vector<KernelFacts>& kernels) {
  Json out = Json::array();
  for (const KernelFacts& k : kernels) {
    out.push_back(Json::array({k.registers, k.private_bytes, k.local_bytes}));
  }
  return out;
}

std::vector<KernelFacts> kernels_from(const Json& json) {
  std::vector<KernelFacts> out;
  for (const auto& numbers : json.get<std::vector<std::array<std::uint32_t, 3>>>()) {
    out.push_back({numbers[0], numbers[1], numbers[2]});
  }
  return out;
}

std::unexpected<Error> not_understood() {
  return backend_error(
      "the worker and this program do not understand each other: install both anew");
}

std::unexpected<Error> impossible_time(double time, const char* unit) {
  return backend_error(
      "vyre-worker answers with a time of {:.4g} {}, which cannot be: install it anew", time, unit);
}

bool is_fit_to_show(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

Expected<void> check_content(const Reply& reply) {
  for (const double ms : {reply.result.time_ms, reply.result.default_ms}) {
    if (!(ms >= 0 && ms <= kMostMs)) return impossible_time(ms, "ms");
  }
  if (!(reply.kernel_seconds >= 0 && reply.kernel_seconds * 1e3 <= kMostMs)) {
    return impossible_time(reply.kernel_seconds, "s");
  }
  const bool is_fit =
      is_fit_to_show(reply.why) &&
      (!reply.error || (is_fit_to_show(reply.error->message) && is_fit_to_show(reply.error->code)));
  if (is_fit) return {};
  return backend_error("vyre-worker answers with control characters: install it anew");
}

// Texts of drivers need not be UTF-8.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The content of a message, or nothing if it is none of ours; JSON's own exceptions end here.
template <class Read>
auto read_json(std::string_view text, Read read) -> Expected<decltype(read(Json()))> {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return not_understood();
  try {
    return read(json);
  } catch (const Json::exception&) {
    return not_understood();
  }
}

// -1: an error; 0: too late; else how much.
ssize_t receive_some(int socket, char* to, std::size_t most, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wait{socket, POLLIN, 0};
    const int ready = ::poll(&wait, 1, static_cast<int>(std::clamp<long>(left, 0, 1'000'000)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && Clock::now() < deadline) continue;
    if (ready <= 0) return ready;
    const ssize_t got = ::recv(socket, to, most, 0);
    if (got < 0 && errno == EINTR) continue;
    return got <= 0 ? -1 : got;
  }
}

std::optional<Silence> receive_all(int socket, std::span<char> to, Clock::time_point deadline) {
  while (!to.empty()) {
    const ssize_t got = receive_some(socket, to.data(), to.size(), deadline);
    if (got < 0) return Silence::closed;
    if (got == 0) return Silence::timed_out;
    to = to.subspan(static_cast<std::size_t>(got));
  }
  return std::nullopt;
}

}  // namespace

std::string to_json(const Request& request) {
  return dumped(Json{{"task", kTasks[static_cast<std::size_t>(request.task)]},
                     {"config", to_json(request.config)}});
}

Expected<Request> request_from(std::string_view text) {
  VYRE_TRY(const Json json, read_json(text, [](const Json& j) {
             return Json{{"task", j.at("task").get<std::string>()}, {"config", j.at("config")}};
           }));
  const auto task = std::ranges::find(kTasks, json["task"].get<std::string>());
  if (task == kTasks.end()) return not_understood();
  VYRE_TRY(Config config, to_config({json["config"], "config"}));
  return Request{static_cast<Task>(task - kTasks.begin()), std::move(config)};
}

std::string to_json(const Reply& reply) {
  return dumped(Json{{"launched", reply.is_launched},
                     {"status", recording::to_string(reply.result.status)},
                     {"ms", reply.result.time_ms},
                     {"default_ms", reply.result.default_ms},
                     {"host_clock", reply.result.is_host_time},
                     {"damage", reply.has_damage},
                     {"kernel_seconds", reply.kernel_seconds},
                     {"why", reply.why},
                     {"kernels", json_of(reply.kernels)},
                     {"error", json_of(reply.error)}});
}

Expected<Reply> reply_from(std::string_view text) {
  VYRE_TRY(
      Reply reply, read_json(text, [](const Json& json) {
        Reply out;
        out.result.status =
            recording::parse_status(json.at("status").get<std::string>()).value_or(Status::runtime);
        out.is_launched = json.at("launched");
        out.result.time_ms = json.at("ms");
        out.result.default_ms = json.at("default_ms");
        out.result.is_host_time = json.at("host_clock");
        out.has_damage = json.at("damage");
        out.kernel_seconds = json.at("kernel_seconds");
        out.why = json.at("why");
        out.kernels = kernels_from(json.at("kernels"));
        out.error = error_from(json);
        return out;
      }));
  VYRE_TRY_VOID(check_content(reply));
  return reply;
}

Expected<void> check_reply(const Reply& reply, Task task) {
  const bool is_timed = task == Task::sample || task == Task::race;
  if (!is_timed || reply.error || reply.result.status != Status::ok) return {};
  if (reply.result.time_ms > 0) return {};
  return impossible_time(reply.result.time_ms, "ms");
}

std::string to_json(const Greeting& greeting) {
  return dumped(Json{{"version", greeting.version},
                     {"device", greeting.device},
                     {"scratch", greeting.scratch},
                     {"error", json_of(greeting.error)}});
}

Expected<Greeting> greeting_from(std::string_view text) {
  return read_json(text, [](const Json& json) {
    return Greeting{json.at("version").get<int>(), json.at("device").get<std::string>(),
                    json.value("scratch", ""), error_from(json)};
  });
}

Expected<void> send_message(int socket, std::string_view text) {
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  bytes += text;
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t sent = ::send(socket, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return backend_error("the worker has gone");
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

std::expected<std::string, Silence> receive_message(int socket, double seconds) {
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(std::min(seconds, kLongestSeconds)));
  std::uint32_t length = 0;
  std::array<char, sizeof length> head{};
  if (const auto silence = receive_all(socket, head, deadline)) return std::unexpected(*silence);
  std::memcpy(&length, head.data(), sizeof length);
  if (length > kMostBytes) return std::unexpected(Silence::closed);
  std::string text(length, '\0');
  if (const auto silence = receive_all(socket, text, deadline)) return std::unexpected(*silence);
  return text;
}

}  // namespace vyre::worker
