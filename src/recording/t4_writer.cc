#include "recording/t4_writer.h"

#include <cmath>
#include <exception>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/gzip.h"
#include "base/json_value.h"
#include "base/text.h"
#include "recording/status.h"

namespace vyre::recording {
namespace {

bool is_finite(const Value& value) {
  const double* const real = std::get_if<double>(&value);
  return real == nullptr || std::isfinite(*real);
}

Expected<void> check_values(const Recording& recording) {
  if (recording.rows.empty()) return bad_inputs("nothing to write: the recording has no rows");
  for (const auto& [name, values] : recording.parameters) {
    for (const Value& value : values) {
      if (!is_finite(value)) return bad_inputs("parameter {}: not finite", quote(name));
    }
  }
  for (const auto& [name, value] : recording.metadata.entries()) {
    if (!is_finite(value)) return bad_inputs("metadata {}: not finite", quote(name));
  }
  return {};
}

Expected<void> check_row(const Recording& recording, std::size_t index) {
  const Row& row = recording.rows[index];
  if (row.point.size() != recording.parameters.size()) {
    return bad_inputs("row {}: {} values for {} parameters", index, row.point.size(),
                      recording.parameters.size());
  }
  for (std::size_t i = 0; i < row.point.size(); ++i) {
    if (row.point[i] < recording.parameters[i].values.size()) continue;
    return bad_inputs("row {}: parameter {} has no value {}", index,
                      quote(recording.parameters[i].name), row.point[i]);
  }
  const auto usable = [](double time) { return std::isfinite(time) && time > 0; };
  if (row.time_ms.has_value() != (row.status == Status::ok) || !usable(row.time_ms.value_or(1))) {
    return bad_inputs("row {}: a time above 0 must be there exactly if the status is ok", index);
  }
  double sum = row.compile_ms + row.framework_ms + row.search_ms + row.validation_ms;
  for (const double run : row.run_ms) sum += run < 0 ? NAN : run;
  if (!std::isfinite(sum))
    return bad_inputs("row {}: run times must not be negative, and all times finite", index);
  return {};
}

Json metadata_json(const Config& metadata) {
  Json out = Json::object();
  for (const auto& [name, value] : metadata.entries()) out[name] = to_json(value);
  out["timeunit"] = "milliseconds";
  return out;
}

// The compile time is written under two names: Kernel Tuner's own files use "compilation", the
// schema and KTT use "compilation_time".
Json row_json(const Recording& recording, const Row& row) {
  Json configuration = Json::object();
  for (std::size_t i = 0; i < row.point.size(); ++i) {
    const auto& [name, values] = recording.parameters[i];
    configuration[name] = to_json(values[row.point[i]]);
  }
  const Json time = row.time_ms ? Json(*row.time_ms) : Json(failure_word(row.status));
  Json measurement{{"name", "time"}, {"value", time}, {"unit", "ms"}};
  return Json{{"timestamp", row.timestamp},
              {"configuration", std::move(configuration)},
              {"times",
               {{"compilation", row.compile_ms},
                {"compilation_time", row.compile_ms},
                {"framework", row.framework_ms},
                {"search_algorithm", row.search_ms},
                {"validation", row.validation_ms},
                {"runtimes", row.run_ms}}},
              {"invalidity", to_string(row.status)},
              {"correctness", row.status == Status::ok ? 1 : 0},
              {"measurements", Json::array({std::move(measurement)})},
              {"objectives", Json::array({"time"})}};
}

// One row per line: a file of a million rows can still be looked at with line tools.
std::string print(const Recording& recording) {
  std::string out =
      "{\n\"metadata\": " + metadata_json(recording.metadata).dump() + ",\n\"results\": [";
  const char* separator = "\n";
  for (const Row& row : recording.rows) {
    out += separator;
    out += row_json(recording, row).dump();
    separator = ",\n";
  }
  return out + "\n],\n\"schema_version\": \"1.0.0\"\n}\n";
}

}  // namespace

Expected<void> check_writable(const Recording& recording) {
  VYRE_TRY_VOID(check_values(recording));
  for (std::size_t i = 0; i < recording.rows.size(); ++i) VYRE_TRY_VOID(check_row(recording, i));
  return {};
}

Expected<std::string> write_t4_document(const Recording& recording) {
  VYRE_TRY_VOID(check_writable(recording));
  try {
    return print(recording);
  } catch (const nlohmann::json::type_error&) {
    return bad_inputs("a name, value or time stamp is not UTF-8, so JSON cannot hold it");
  }
}

}  // namespace vyre::recording
