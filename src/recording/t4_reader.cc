#include "recording/t4_reader.h"

#include <numeric>
#include <unordered_map>

#include "base/error.h"
#include "base/json_value.h"
#include "base/text.h"
#include "recording/column.h"
#include "recording/limits.h"
#include "recording/status.h"
#include "recording/time_unit.h"

namespace vyre::recording {
namespace {

constexpr std::string_view kObjective = "time";

std::string row_path(std::size_t row) { return fmt::format("results[{}]", row); }

class T4Recording {
 public:
  Expected<void> take(const JsonMember& member) {
    if (member.name == "results" && member.index) {
      return add_row(JsonNode(member.value, row_path(*member.index)));
    }
    const JsonNode node(member.value, std::string(member.name));
    if (member.name == "results") return node.expected("a list");
    if (member.name == "metadata") return read_metadata(node);
    if (member.name == "schema_version") return check_version(node);
    if (member.name == "ConfigurationSpace" || member.name == "KernelSpecification") {
      return bad_inputs(
          "it is a T1 file, which describes a problem, and results are wanted; `vyre tune FILE "
          "--out RESULTS.json` makes such a file");
    }
    warn("{}: unknown, left out", quote(member.name));
    return {};
  }

  Expected<Recording> finish() {
    if (recording_.rows.empty()) return bad_inputs("results: missing or empty");
    for (std::size_t i = 0; i < recording_.rows.size(); ++i) {
      VYRE_TRY_VOID(finish_times(i));
    }
    VYRE_TRY_VOID(finish_columns(std::move(columns_), numbers_are_texts_, recording_));
    if (const auto repeated = find_repeated(recording_.rows)) {
      return bad_inputs("{}: the same configuration as {}", row_path(repeated->row),
                        row_path(repeated->first));
    }
    return std::move(recording_);
  }

 private:
  template <class... Args>
  void warn(fmt::format_string<Args...> format, Args&&... args) {
    recording_.warnings.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  Expected<void> check_version(const JsonNode& node) {
    VYRE_TRY(const std::string version, node.text());
    if (!version.starts_with("1.")) {
      warn("schema_version: {} is not known; read as if it were 1.0.0", quote(version));
    }
    return {};
  }

  Expected<void> read_metadata(const JsonNode& node) {
    VYRE_TRY(const std::vector<JsonNode> members, node.members());
    for (const JsonNode& member : members) {
      if (member.key() == "timeunit") {
        VYRE_TRY(const std::string text, member.text());
        const auto unit = parse_time_unit(text);
        if (!unit) return member.expected("nanoseconds, microseconds, milliseconds or seconds");
        unit_ = *unit;
      } else if (auto value = to_value(member)) {
        recording_.metadata.set(member.key(), *std::move(value));
      } else if (!member.json().is_null()) {
        warn("{}: left out; only text, numbers and booleans are kept", member.where());
      }
    }
    // KTT writes every parameter's value as text.
    const Value* const tuner = recording_.metadata.find("autotuner");
    numbers_are_texts_ = tuner != nullptr && *tuner == Value(std::string("KTT"));
    return {};
  }

  Expected<void> add_row(const JsonNode& node) {
    if (recording_.rows.size() == kMostRows) return bad_inputs("more than {} rows", kMostRows);
    Row row;
    VYRE_TRY(const JsonNode status, node.at("invalidity"));
    VYRE_TRY(const std::string word, status.text());
    const auto parsed = parse_status(word);
    if (!parsed) {
      return status.expected("timeout, compile, runtime, correctness, constraints or correct");
    }
    row.status = *parsed;
    VYRE_TRY(const JsonNode configuration, node.at("configuration"));
    VYRE_TRY(row.point, read_point(configuration));
    VYRE_TRY(const JsonNode times, node.at("times"));
    VYRE_TRY_VOID(read_times(times, row));
    VYRE_TRY(const auto timestamp, node.find("timestamp"));
    if (timestamp) {
      VYRE_TRY(row.timestamp, timestamp->text());
    }
    unit_given_.push_back(false);
    VYRE_TRY_VOID(read_objective(node, row));
    recording_.rows.push_back(std::move(row));
    return {};
  }

  Expected<space::Point> read_point(const JsonNode& configuration) {
    VYRE_TRY(const std::vector<JsonNode> members, configuration.members());
    if (columns_.empty()) add_columns(members);
    constexpr std::uint32_t kUnset = ~std::uint32_t{0};
    space::Point out(columns_.size(), kUnset);
    for (std::size_t i = 0; i < members.size(); ++i) {
      VYRE_TRY(const std::size_t at, column_of(members[i], i));
      if (out[at] != kUnset) return bad_inputs("{}: there twice", members[i].where());
      VYRE_TRY(Value value, to_value(members[i]));
      out[at] = columns_[at].add(std::move(value));
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (out[i] == kUnset) VYRE_TRY_VOID(configuration.at(columns_[i].name()));
    }
    if (out.empty()) return configuration.expected("at least one parameter");
    return out;
  }

  void add_columns(const std::vector<JsonNode>& members) {
    for (const JsonNode& member : members) {
      if (column_at_.try_emplace(std::string(member.key()), columns_.size()).second) {
        columns_.emplace_back(std::string(member.key()));
      }
    }
  }

  // Rows nearly always list the parameters in the same order: `guess` saves the look-up.
  Expected<std::size_t> column_of(const JsonNode& member, std::size_t guess) const {
    if (guess < columns_.size() && columns_[guess].name() == member.key()) return guess;
    const auto found = column_at_.find(std::string(member.key()));
    if (found != column_at_.end()) return found->second;
    return bad_inputs("{}: not a parameter of {}", member.where(), row_path(0));
  }

  static Expected<void> read_times(const JsonNode& times, Row& row) {
    struct Field {
      std::string_view name;
      double* out;
    };
    // Kernel Tuner writes "compilation", the schema and KTT say "compilation_time".
    for (const auto& [name, out] :
         {Field{"compilation", &row.compile_ms}, Field{"compilation_time", &row.compile_ms},
          Field{"framework", &row.framework_ms}, Field{"search_algorithm", &row.search_ms},
          Field{"validation", &row.validation_ms}}) {
      VYRE_TRY(const auto field, times.find(name));
      if (!field) continue;
      VYRE_TRY(*out, field->number());
    }
    VYRE_TRY(const auto runs, times.find("runtimes"));
    if (!runs) return {};
    VYRE_TRY(row.run_ms, runs->numbers());
    for (const double run : row.run_ms) {
      if (run < 0) return runs->expected("numbers that are not negative");
    }
    return {};
  }

  Expected<void> read_objective(const JsonNode& node, Row& row) {
    if (row.status != Status::ok) return {};
    VYRE_TRY(const auto measurements, node.find("measurements"));
    if (!measurements) return {};
    VYRE_TRY(const std::vector<JsonNode> elements, measurements->elements());
    for (const JsonNode& element : elements) {
      VYRE_TRY(const JsonNode name, element.at("name"));
      VYRE_TRY(const std::string text, name.text());
      if (text == kObjective) return read_time(element, row);
    }
    return {};
  }

  Expected<void> read_time(const JsonNode& measurement, Row& row) {
    VYRE_TRY(const JsonNode value, measurement.at("value"));
    VYRE_TRY(row.time_ms, value.number());
    if (*row.time_ms <= 0) return value.expected("a number above 0");
    VYRE_TRY(const auto unit, measurement.find("unit"));
    if (!unit) return {};
    VYRE_TRY(const std::string text, unit->text());
    if (text.empty()) return {};
    const auto known = parse_time_unit(text);
    if (!known) return unit->expected("ns, us, ms, s or nothing");
    row.time_ms = to_ms(*row.time_ms, *known);
    unit_given_.back() = true;
    return {};
  }

  // Only now is the unit of all times known: metadata may stand at the end of the file.
  Expected<void> finish_times(std::size_t index) {
    Row& row = recording_.rows[index];
    for (double* time : {&row.compile_ms, &row.framework_ms, &row.search_ms, &row.validation_ms}) {
      *time = to_ms(*time, unit_);
    }
    for (double& run : row.run_ms) run = to_ms(run, unit_);
    if (row.status != Status::ok) return {};
    if (row.time_ms && !unit_given_[index]) row.time_ms = to_ms(*row.time_ms, unit_);
    if (!row.time_ms && !row.run_ms.empty()) {
      row.time_ms = std::accumulate(row.run_ms.begin(), row.run_ms.end(), 0.0) /
                    static_cast<double>(row.run_ms.size());
    }
    if (row.time_ms && *row.time_ms > 0) return {};
    return bad_inputs("{}: correct, but has neither a measurement \"time\" nor runtimes above 0",
                      row_path(index));
  }

  Recording recording_;
  std::vector<Column> columns_;
  std::unordered_map<std::string, std::size_t> column_at_;
  std::vector<bool> unit_given_;  // by row: its time_ms is in ms already
  TimeUnit unit_ = TimeUnit::milliseconds;
  bool numbers_are_texts_ = false;
};

}  // namespace

Expected<Recording> read_t4_document(std::string_view text) {
  T4Recording t4;
  VYRE_TRY_VOID(
      stream_json(text, "results", [&](const JsonMember& member) { return t4.take(member); }));
  return t4.finish();
}

}  // namespace vyre::recording
