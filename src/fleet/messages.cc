#include "fleet/messages.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/hex.h"
#include "base/json_value.h"
#include "base/text.h"
#include "recording/status.h"

namespace vyre::fleet {
namespace {

constexpr std::size_t kMostTextBytes = 4096;  // of a text for people
constexpr double kMostMs = 1e9;               // eleven days
constexpr std::uint64_t kMostMilliseconds = 1'000'000'000;
constexpr std::uint32_t kMostWorkers = 1024;  // of one node
constexpr int kHelloVersion = 1;              // nodes of version 1 look at it
constexpr std::size_t kLengthBytes = 8;       // of the JSON, before what stands behind it

std::unexpected<Error> not_understood() {
  return backend_error("it sends something else than vyre does; install the same version on both");
}

// Texts of drivers need not be UTF-8.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// JSON's own exceptions end here.
template <class Read>
auto read_json(std::string_view text, Read read) -> decltype(read(Json())) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return not_understood();
  try {
    return read(json);
  } catch (const Json::exception&) {
    return not_understood();
  }
}

// Refuses numbers that JSON would turn into others: -1, 1e30, 2.5.
std::uint64_t whole(const Json& json, const char* name) {
  const Json& value = json.at(name);
  if (!value.is_number_unsigned()) throw Json::type_error::create(302, "not whole", &value);
  return value.get<std::uint64_t>();
}

std::string shown(const Json& json, const char* name) {
  const std::string text = escaped(json.at(name).get<std::string>());
  return text.substr(0, kMostTextBytes);
}

bool is_time(double value, double most) { return value >= 0 && value <= most; }

// ---- A length, so much JSON, and the rest

std::string joined(const Json& head, std::string_view rest) {
  const std::string text = dumped(head);
  std::string out;
  for (std::size_t k = 0; k < kLengthBytes; ++k) out += static_cast<char>(text.size() >> (8 * k));
  out += text;
  out += rest;
  return out;
}

struct Parts {
  std::string_view head;
  std::string_view rest;
};

std::optional<Parts> parted(std::string_view bytes) {
  if (bytes.size() < kLengthBytes) return std::nullopt;
  std::uint64_t length = 0;
  for (std::size_t k = 0; k < kLengthBytes; ++k) {
    length |= std::uint64_t{static_cast<std::uint8_t>(bytes[k])} << (8 * k);
  }
  bytes.remove_prefix(kLengthBytes);
  if (length > bytes.size()) return std::nullopt;
  return Parts{bytes.substr(0, length), bytes.substr(length)};
}

// ---- Parts of messages

Json json_of(const DeviceInfo& info) {
  const DeviceLimits& limits = info.limits;
  return {{"backend", info.backend},
          {"platform", info.platform},
          {"name", info.name},
          {"driver", info.driver},
          {"language", info.language},
          {"kind", static_cast<unsigned>(info.kind)},
          {"layered", info.is_layered},
          {"uuid", info.hardware.uuid},
          {"pci", info.hardware.pci},
          {"executes", info.executes},
          {"shares_host_cores", info.shares_host_cores},
          {"clock_step_ns", info.clock_step_ns},
          {"untried", info.untried},
          {"tells_facts", info.tells_facts},
          {"part_alignment", info.part_alignment},
          {"selector", info.selector},
          {"workgroup_items", limits.workgroup_items},
          {"workgroup_size", limits.workgroup_size},
          {"buffer_bytes", limits.buffer_bytes},
          {"local_bytes", limits.local_bytes},
          {"compute_units", limits.compute_units},
          {"memory_bytes", limits.memory_bytes}};
}

DeviceInfo device_from(const Json& json) {
  const std::uint64_t kind =
      std::min<std::uint64_t>(whole(json, "kind"), static_cast<unsigned>(DeviceKind::interpreter));
  DeviceInfo out{.backend = shown(json, "backend"),
                 .platform = shown(json, "platform"),
                 .name = shown(json, "name"),
                 .driver = shown(json, "driver"),
                 .language = shown(json, "language"),
                 .kind = static_cast<DeviceKind>(kind),
                 .is_layered = json.at("layered"),
                 .hardware = {shown(json, "uuid"), shown(json, "pci")},
                 .executes = json.at("executes"),
                 .shares_host_cores = json.at("shares_host_cores"),
                 .clock_step_ns = whole(json, "clock_step_ns"),
                 .untried = shown(json, "untried"),
                 .limits = {},
                 .tells_facts = json.at("tells_facts"),
                 .part_alignment = whole(json, "part_alignment"),
                 .selector = shown(json, "selector")};
  out.limits = {.workgroup_items = static_cast<std::uint32_t>(whole(json, "workgroup_items")),
                .workgroup_size = json.at("workgroup_size").get<Extent>(),
                .buffer_bytes = whole(json, "buffer_bytes"),
                .local_bytes = whole(json, "local_bytes"),
                .compute_units = static_cast<std::uint32_t>(whole(json, "compute_units")),
                .memory_bytes = whole(json, "memory_bytes")};
  return out;
}

Json json_of(const Error& error) {
  return {{"kind", static_cast<unsigned>(error.kind)},
          {"code", error.code},
          {"message", error.message}};
}

Error plain_error_from(const Json& json) {
  const std::uint64_t kind =
      std::min<std::uint64_t>(whole(json, "kind"), static_cast<unsigned>(ErrorKind::io));
  return {static_cast<ErrorKind>(kind), shown(json, "code"), shown(json, "message")};
}

Json json_of(const Origin& origin) {
  return {{"file", origin.file}, {"type", origin.type}, {"from", origin.from},
          {"span", origin.span}, {"seed", origin.seed}, {"lanes", origin.lanes}};
}

Origin origin_from(const Json& json) {
  return {.file = json.at("file"),
          .type = json.at("type"),
          .from = json.at("from"),
          .span = json.at("span"),
          .seed = whole(json, "seed"),
          .lanes = whole(json, "lanes")};
}

Json json_of(const std::vector<Blob>& blobs) {
  Json out = Json::array();
  for (const Blob& blob : blobs) {
    out.push_back(
        {{"bytes", blob.bytes}, {"digest", to_hex(blob.digest)}, {"origin", json_of(blob.origin)}});
  }
  return out;
}

Expected<std::vector<Blob>> blobs_from(const Json& json) {
  std::vector<Blob> out;
  for (const Json& one : json) {
    Blob blob{.bytes = whole(one, "bytes"), .origin = origin_from(one.at("origin"))};
    if (!from_hex(one.at("digest").get<std::string>(), blob.digest)) return not_understood();
    out.push_back(std::move(blob));
  }
  return out;
}

Json json_of(const Work& work, const Config& config) {
  return {{"step", static_cast<unsigned>(work.step)},
          {"index", work.index},
          {"config", to_json(config)}};
}

Expected<Work> work_from(const Json& json) {
  const std::uint64_t step = whole(json, "step");
  if (step > static_cast<unsigned>(Step::pair)) return not_understood();
  return Work{static_cast<Step>(step), whole(json, "index")};
}

}  // namespace

// ---- To bytes

std::string to_bytes(const Hello& hello) {
  return dumped(Json{{"version", kHelloVersion}, {"nonce", hello.nonce}});
}

std::string to_bytes(const Greeting& greeting) {
  return dumped(Json{{"version", greeting.version},
                     {"nonce", greeting.nonce},
                     {"host", greeting.host},
                     {"device", json_of(greeting.device)},
                     {"identity", fingerprint(greeting.device)},
                     {"error", greeting.error ? json_of(*greeting.error) : Json()}});
}

std::string to_bytes(const JobMessage& job) {
  const JobHead& head = job.head;
  return joined(Json{{"id", head.id},
                     {"default", head.default_index},
                     {"build_limit_ms", static_cast<std::uint64_t>(head.build_limit.count())},
                     {"run_limit_ms", static_cast<std::uint64_t>(head.run_limit.count())},
                     {"build_memory", head.build_memory},
                     {"memory_limit", head.memory_limit},
                     {"inputs", json_of(head.inputs)},
                     {"reference", head.reference ? json_of(*head.reference) : Json()}},
                job.problem);
}

std::string to_bytes(const Want& want) {
  return dumped(Json{{"job", want.job}, {"blobs", want.blobs}});
}

std::string to_bytes(const DataMessage& data) {
  return joined(Json{{"job", data.job}, {"blob", data.blob}}, data.bytes);
}

std::string to_bytes(const Ready& ready) {
  return dumped(Json{{"job", ready.job},
                     {"workers", ready.workers},
                     {"warm", ready.is_warm},
                     {"default_ms", ready.default_ms}});
}

std::string to_bytes(const StartMessage& start) {
  Json json = json_of(start.work, start.config);
  json["ticket"] = start.ticket;
  return dumped(json);
}

std::string to_bytes(const RecallMessage& recall) {
  Json json = json_of(recall.work, recall.config);
  json["count"] = recall.count;
  return dumped(json);
}

std::string to_bytes(const AnswerMessage& answer) {
  const Result& result = answer.result;
  return dumped(Json{{"ticket", answer.ticket},
                     {"status", recording::to_string(result.status)},
                     {"ms", result.time_ms},
                     {"default_ms", result.default_ms},
                     {"host_clock", result.is_host_time},
                     {"compile_s", result.compile_seconds},
                     {"run_s", result.run_seconds},
                     {"verify_s", result.verify_seconds},
                     {"kernel_s", answer.kernel_seconds},
                     {"why", answer.why}});
}

std::string to_bytes(const ErrorMessage& error) {
  return dumped(Json{{"job", error.job}, {"error", json_of(error.error)}});
}

// ---- From bytes

Expected<Hello> hello_from(std::string_view bytes) {
  return read_json(bytes, [](const Json& json) -> Expected<Hello> {
    return Hello{.nonce = shown(json, "nonce")};
  });
}

Expected<Greeting> greeting_from(std::string_view bytes) {
  return read_json(bytes, [](const Json& json) -> Expected<Greeting> {
    Greeting out{.version = static_cast<int>(whole(json, "version")),
                 .nonce = shown(json, "nonce"),
                 .host = shown(json, "host"),
                 .device = device_from(json.at("device"))};
    if (!json.at("error").is_null()) out.error = plain_error_from(json.at("error"));
    // Names that JSON cannot carry would be another device's here.
    const bool is_same = json.at("identity").get<std::string>() == fingerprint(out.device);
    if (!is_same && !out.error) return not_understood();
    return out;
  });
}

Expected<JobMessage> job_from(std::string_view bytes) {
  const auto parts = parted(bytes);
  if (!parts) return not_understood();
  return read_json(parts->head, [&](const Json& json) -> Expected<JobMessage> {
    const auto time = [&](const char* name) {
      return std::chrono::milliseconds(std::min(whole(json, name), kMostMilliseconds));
    };
    JobHead head{.id = whole(json, "id"),
                 .default_index = whole(json, "default"),
                 .build_limit = time("build_limit_ms"),
                 .run_limit = time("run_limit_ms"),
                 .build_memory = whole(json, "build_memory"),
                 .memory_limit = whole(json, "memory_limit")};
    VYRE_TRY(head.inputs, blobs_from(json.at("inputs")));
    if (!json.at("reference").is_null()) {
      VYRE_TRY(head.reference, blobs_from(json.at("reference")));
    }
    return JobMessage{std::move(head), std::string(parts->rest)};
  });
}

Expected<Want> want_from(std::string_view bytes) {
  return read_json(bytes, [](const Json& json) -> Expected<Want> {
    Want out{.job = whole(json, "job")};
    for (const Json& blob : json.at("blobs")) out.blobs.push_back(blob.get<std::uint64_t>());
    return out;
  });
}

Expected<DataMessage> data_from(std::string_view bytes) {
  const auto parts = parted(bytes);
  if (!parts) return not_understood();
  return read_json(parts->head, [&](const Json& json) -> Expected<DataMessage> {
    return DataMessage{whole(json, "job"), whole(json, "blob"), std::string(parts->rest)};
  });
}

Expected<Ready> ready_from(std::string_view bytes) {
  return read_json(bytes, [](const Json& json) -> Expected<Ready> {
    Ready out{.job = whole(json, "job"),
              .workers = static_cast<std::uint32_t>(
                  std::clamp<std::uint64_t>(whole(json, "workers"), 1, kMostWorkers)),
              .is_warm = json.at("warm"),
              .default_ms = json.at("default_ms")};
    if (!is_time(out.default_ms, kMostMs) || out.default_ms == 0) return not_understood();
    return out;
  });
}

Expected<StartMessage> start_from(std::string_view bytes) {
  return read_json(bytes, [](const Json& json) -> Expected<StartMessage> {
    StartMessage out{.ticket = whole(json, "ticket")};
    VYRE_TRY(out.work, work_from(json));
    VYRE_TRY(out.config, to_config({json.at("config"), "config"}));
    return out;
  });
}

Expected<RecallMessage> recall_from(std::string_view bytes) {
  return read_json(bytes, [](const Json& json) -> Expected<RecallMessage> {
    RecallMessage out{.count = whole(json, "count")};
    VYRE_TRY(out.work, work_from(json));
    VYRE_TRY(out.config, to_config({json.at("config"), "config"}));
    return out;
  });
}

Expected<AnswerMessage> answer_from(std::string_view bytes) {
  return read_json(bytes, [](const Json& json) -> Expected<AnswerMessage> {
    const auto status = recording::parse_status(json.at("status").get<std::string>());
    if (!status) return not_understood();
    AnswerMessage out{.ticket = whole(json, "ticket"),
                      .result = {.status = *status,
                                 .time_ms = json.at("ms"),
                                 .default_ms = json.at("default_ms"),
                                 .is_host_time = json.at("host_clock"),
                                 .compile_seconds = json.at("compile_s"),
                                 .run_seconds = json.at("run_s"),
                                 .verify_seconds = json.at("verify_s")},
                      .why = shown(json, "why"),
                      .kernel_seconds = json.at("kernel_s")};
    for (const double ms : {out.result.time_ms, out.result.default_ms,
                            1e3 * out.result.compile_seconds, 1e3 * out.result.run_seconds,
                            1e3 * out.result.verify_seconds, 1e3 * out.kernel_seconds}) {
      if (!is_time(ms, kMostMs)) return not_understood();
    }
    return out;
  });
}

Expected<ErrorMessage> error_from(std::string_view bytes) {
  return read_json(bytes, [](const Json& json) -> Expected<ErrorMessage> {
    return ErrorMessage{whole(json, "job"), plain_error_from(json.at("error"))};
  });
}

}  // namespace vyre::fleet
