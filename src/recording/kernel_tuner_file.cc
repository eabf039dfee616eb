#include "recording/kernel_tuner_file.h"

#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/json_node.h"
#include "base/json_value.h"
#include "base/text.h"
#include "recording/column.h"
#include "recording/limits.h"
#include "recording/status.h"
#include "recording/t4_writer.h"

namespace vyre::recording {
namespace {

constexpr double kFailed = 1e20;  // what very old files have for a time

// The text as it would be if the file had been closed.
std::string closed(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  text = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  const bool is_open = text.ends_with(',') || text.ends_with('{');
  if (text.ends_with(',')) text.remove_suffix(1);
  return std::string(text) + (is_open ? "}}" : "");
}

std::optional<Status> failure_of(std::string_view word) {
  for (const Status status : {Status::compile, Status::constraints, Status::runtime}) {
    if (failure_word(status) == word) return status;
  }
  return word == "ErrorConfig" ? std::optional(Status::runtime) : std::nullopt;
}

class Reader {
 public:
  Expected<Recording> run(const JsonNode& root) {
    VYRE_TRY(const JsonNode keys, root.at("tune_params_keys"));
    VYRE_TRY(const std::vector<std::string> names, keys.texts());
    if (names.empty()) return keys.expected("at least one parameter");
    if (names.size() > kMostParameters) return keys.expected("fewer parameters");
    for (const std::string& name : names) columns_.emplace_back(name);
    for (const auto& [from, to] : {std::pair("device_name", "device"), {"kernel_name", "kernel"}}) {
      VYRE_TRY(const auto field, root.find(from));
      if (!field) continue;
      VYRE_TRY(std::string text, field->text());
      recording_.metadata.set(to, std::move(text));
    }
    VYRE_TRY(const JsonNode cache, root.at("cache"));
    VYRE_TRY(const std::vector<JsonNode> entries, cache.members());
    if (entries.empty()) return cache.expected("at least one configuration");
    if (entries.size() > kMostRows) return bad_inputs("more than {} configurations", kMostRows);
    for (const JsonNode& entry : entries) VYRE_TRY_VOID(add_row(entry));
    VYRE_TRY_VOID(finish_columns(std::move(columns_), false, recording_));
    if (const auto repeated = find_repeated(recording_.rows)) {
      return bad_inputs("{}: the same configuration as {}", entries[repeated->row].where(),
                        entries[repeated->first].where());
    }
    return std::move(recording_);
  }

 private:
  Expected<void> add_row(const JsonNode& entry) {
    Row row;
    for (Column& column : columns_) {
      VYRE_TRY(const JsonNode field, entry.at(column.name()));
      VYRE_TRY(Value value, to_value(field));
      row.point.push_back(column.add(std::move(value)));
    }
    VYRE_TRY_VOID(read_outcome(entry, row));
    VYRE_TRY_VOID(read_times(entry, row));
    recording_.rows.push_back(std::move(row));
    return {};
  }

  // A failure stands in __error__, in older files in the place of the time.
  static Expected<void> read_outcome(const JsonNode& entry, Row& row) {
    VYRE_TRY(const auto error, entry.find("__error__"));
    VYRE_TRY(const auto time, entry.find("time"));
    const JsonNode* const failed = error ? &*error : time && time->is_text() ? &*time : nullptr;
    if (failed != nullptr) {
      VYRE_TRY(const std::string word, failed->text());
      const auto status = failure_of(word);
      if (!status) {
        return failed->expected(
            "InvalidConfig, CompilationFailedConfig, RuntimeFailedConfig or ErrorConfig");
      }
      row.status = *status;
      return {};
    }
    if (!time) return entry.expected("a time, or an __error__");
    VYRE_TRY(const double milliseconds, time->number());
    if (!(milliseconds > 0)) return time->expected("a number above 0");
    if (milliseconds >= kFailed) {
      row.status = Status::runtime;
    } else {
      row.time_ms = milliseconds;
    }
    return {};
  }

  static Expected<void> read_times(const JsonNode& entry, Row& row) {
    const std::array<std::pair<std::string_view, double*>, 4> fields{
        {{"compile_time", &row.compile_ms},
         {"framework_time", &row.framework_ms},
         {"strategy_time", &row.search_ms},
         {"verification_time", &row.validation_ms}}};
    for (const auto& [name, out] : fields) {
      VYRE_TRY(const auto field, entry.find(name));
      if (!field) continue;
      VYRE_TRY(*out, field->number());
    }
    VYRE_TRY(const auto stamp, entry.find("timestamp"));
    if (stamp && stamp->is_text()) {
      VYRE_TRY(row.timestamp, stamp->text());
    }
    VYRE_TRY(const auto runs, entry.find("times"));
    if (!runs || row.status != Status::ok) return {};
    VYRE_TRY(row.run_ms, runs->numbers());
    for (const double run : row.run_ms) {
      if (run < 0) return runs->expected("numbers that are not negative");
    }
    return {};
  }

  Recording recording_;
  std::vector<Column> columns_;
};

// As Python's str() has it: the keys of the cache are made of these.
std::string python_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? "True" : "False";
  return to_json(value).dump();
}

Json entry_json(const Recording& recording, const Row& row) {
  Json out = Json::object();
  for (std::size_t i = 0; i < row.point.size(); ++i) {
    const auto& [name, values] = recording.parameters[i];
    out[name] = to_json(values[row.point[i]]);
  }
  double benchmark_ms = 0;
  for (const double run : row.run_ms) benchmark_ms += run;
  out["time"] = row.time_ms ? Json(*row.time_ms) : Json(failure_word(row.status));
  if (row.status != Status::ok) out["__error__"] = failure_word(row.status);
  out["times"] = row.run_ms.empty() && row.time_ms ? Json::array({*row.time_ms}) : Json(row.run_ms);
  out["compile_time"] = row.compile_ms;
  out["verification_time"] = row.validation_ms;
  out["benchmark_time"] = benchmark_ms;
  out["strategy_time"] = row.search_ms;
  out["framework_time"] = row.framework_ms;
  out["timestamp"] = row.timestamp;
  return out;
}

std::string key_of(const Recording& recording, const Row& row) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < row.point.size(); ++i) {
    texts.push_back(python_text(recording.parameters[i].values[row.point[i]]));
  }
  return fmt::format("{}", fmt::join(texts, ","));
}

Json header_json(const Recording& recording, const std::string& kernel) {
  Json keys = Json::array();
  Json values = Json::object();
  for (const space::Parameter& parameter : recording.parameters) {
    keys.push_back(parameter.name);
    Json list = Json::array();
    for (const Value& value : parameter.values) list.push_back(to_json(value));
    values[parameter.name] = std::move(list);
  }
  const Value* const device = recording.metadata.find("device");
  const auto* const name = device != nullptr ? std::get_if<std::string>(device) : nullptr;
  return Json{{"device_name", name != nullptr ? *name : "unknown"},
              {"kernel_name", kernel},
              {"tune_params_keys", std::move(keys)},
              {"tune_params", std::move(values)},
              {"objective", "time"}};
}

// One configuration per line, as Kernel Tuner writes them.
std::string print(const Recording& recording, const std::string& kernel) {
  std::string out = header_json(recording, kernel).dump();
  out.pop_back();
  out += ",\n\"cache\": {";
  const char* separator = "\n";
  for (const Row& row : recording.rows) {
    out += separator + Json(key_of(recording, row)).dump() + ": ";
    out += entry_json(recording, row).dump();
    separator = ",\n";
  }
  return out + "}\n}\n";  // Kernel Tuner looks for exactly this end
}

}  // namespace

bool is_kernel_tuner_file(std::string_view text) {
  return text.find("\"tune_params_keys\"") != std::string_view::npos &&
         text.find("\"cache\"") != std::string_view::npos;
}

Expected<Recording> read_kernel_tuner_document(std::string_view text) {
  VYRE_TRY(const Json json, parse_json(closed(text)));
  return Reader().run(JsonNode(json, ""));
}

Expected<std::string> write_kernel_tuner_document(const Recording& recording) {
  VYRE_TRY_VOID(check_writable(recording));
  const Value* const kernel = recording.metadata.find("kernel");
  const auto* const name = kernel != nullptr ? std::get_if<std::string>(kernel) : nullptr;
  if (name == nullptr || name->empty()) {
    return bad_inputs("the recording does not name its kernel, and Kernel Tuner asks for it");
  }
  try {
    return print(recording, *name);
  } catch (const nlohmann::json::type_error&) {
    return bad_inputs("a name, value or time stamp is not UTF-8, so JSON cannot hold it");
  }
}

}  // namespace vyre::recording
