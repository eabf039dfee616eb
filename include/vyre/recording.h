// The field's exchange formats, so that problems and results move between vyre, Kernel Tuner and
// KTT: T1 (a tuning problem) in, T4 (results) and Kernel Tuner's cache files in and out, and CSV (a
// recorded space) in.
//
// Any bytes are safe to read: files are limited in size, packed and unpacked, and in nesting. An
// error (bad_inputs) is one line with the file's name and either line and column or the path of the
// field: "t4.json": results[3].times.runtimes: expected a list of numbers. Oddities that do no harm
// are warnings in the result's `warnings`, without the file's name.
//
// A gzipped file is recognised by its bytes, whatever its name. All functions may be called from
// any thread; everything here is a plain value.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vyre/config.h"
#include "vyre/error.h"
#include "vyre/space.h"

namespace vyre::recording {

struct FileLimits {
  std::size_t file_bytes = 256U << 20U;
  std::size_t unpacked_bytes = 512U << 20U;  // of a gzipped file
};

// ---- Recordings: the results of each configuration ----

// The outcome of a configuration: T4's "invalidity", where ok is called "correct".
enum class Status : std::uint8_t { ok, timeout, compile, runtime, correctness, constraints };

std::string_view to_string(Status status);

struct Row {
  space::Point point = {};  // one value index per parameter
  Status status = Status::ok;
  std::optional<double> time_ms = {};  // the objective, above 0; there exactly if status is ok
  std::vector<double> run_ms = {};  // every run, in the order in which they were made; may be empty
  double compile_ms = 0;
  double framework_ms = 0;
  double search_ms = 0;
  double validation_ms = 0;
  std::string timestamp = {};  // as found; may be empty

  bool operator==(const Row&) const = default;
};

// A parameter's values are those that occur: numbers ascending, others by first appearance. In a
// list with both integers and reals all are reals; booleans among numbers are 0 and 1.
struct Recording {
  std::vector<space::Parameter> parameters;
  std::vector<Row> rows;  // configurations all different
  Config metadata;        // T4's, as far as it is text, numbers and booleans; without "timeunit"
  std::vector<std::string> warnings;

  // Warnings are about the file, so they do not count.
  bool operator==(const Recording& other) const {
    return parameters == other.parameters && rows == other.rows && metadata == other.metadata;
  }
};

// A T4 file, a CSV file or a cache file of Kernel Tuner; the content decides which.
Expected<Recording> read_recording(const std::filesystem::path& path,
                                   const FileLimits& limits = {});

// T4, in any of its dialects (Kernel Tuner's, KTT's with numbers as text, times in any unit). The
// objective is the measurement "time", else the mean of the run times: in the FAIR recordings both
// are the same to the last bit. `name` stands for the file in messages.
Expected<Recording> parse_t4(std::string_view text, std::string_view name);

// One column per parameter, the last column time_ms in milliseconds, empty for a configuration
// that failed: as the file does not say why, its status is Status::runtime.
Expected<Recording> parse_csv(std::string_view text, std::string_view name);

// A cache file of Kernel Tuner, closed or still open. Times are its "time" and "times".
Expected<Recording> parse_kernel_tuner(std::string_view text, std::string_view name);

// A T4 1.0.0 document; parse_t4 gives back an equal Recording. Fails on a Recording that breaks
// the promises above, on text that is not UTF-8, and on numbers that are not finite.
Expected<std::string> to_t4(const Recording& recording);

// The same into a file, replaced in one step; gzipped if its name ends in ".gz".
Expected<void> write_t4(const std::filesystem::path& path, const Recording& recording);

// The same as a cache file of Kernel Tuner, for its simulation mode. The name of the kernel, which
// Kernel Tuner checks, is metadata's "kernel"; without one it fails. Parameters keep their order.
Expected<std::string> to_kernel_tuner(const Recording& recording);
Expected<void> write_kernel_tuner(const std::filesystem::path& path, const Recording& recording);

// The recorded configurations as a space, row i having index i.
Expected<space::Space> to_space(const Recording& recording);

// ---- T1 files: tuning problems ----

struct DeviceSpecification {
  std::optional<std::int64_t> platform_id;
  std::optional<std::int64_t> device_id;
  std::string name;

  bool operator==(const DeviceSpecification&) const = default;
};

// A kernel argument or reference data for one. Words are T1's own ("float", "Vector", "ReadOnly",
// "Random"); an empty one was not given.
struct ArgumentSpecification {
  std::string name;
  std::string type;
  std::string memory_type;
  std::string access_type;
  std::string size;  // an Expression over parameters and ProblemSize
  std::optional<std::int64_t> type_bytes;
  std::string fill_type;
  std::optional<double> fill_value;
  std::string data_source;
  std::optional<std::int64_t> random_seed;
  bool in_constant_memory = false;  // Kernel Tuner's "MemType": "Constant"
  bool is_output = false;           // "Output": 1

  bool operator==(const ArgumentSpecification&) const = default;
};

struct Reference {
  ArgumentSpecification data;
  std::string target_name;  // the argument it is compared with
  std::string validation_method;
  std::optional<double> validation_threshold;

  bool operator==(const Reference&) const = default;
};

using Size3 = std::array<std::string, 3>;  // Expressions for x, y, z; "1" where not given

struct KernelSpecification {
  std::string benchmark_name;
  std::string language;
  std::string kernel_name;
  std::string kernel_file;  // as written, usually relative to the T1 file
  std::vector<std::string> kernel_type_names;
  std::vector<std::string> compiler_options;
  std::string global_size_type;  // "OpenCL": sizes count invocations; others: workgroups; empty: as
                                 // the language has it
  Size3 global_size;
  Size3 local_size;
  std::array<std::vector<std::string>, 3> grid_divisors;  // GridDivX, GridDivY, GridDivZ
  std::vector<std::string> problem_size;                  // Expressions
  std::vector<std::string> problem_size_names;            // vyre's own field; may be empty
  // Name and Expression; vyre's own field.
  std::vector<std::pair<std::string, std::string>> metrics;
  std::int64_t shared_memory_bytes = 0;
  bool profiling = false;
  std::string simulation_input;
  DeviceSpecification device;
  std::vector<ArgumentSpecification> arguments;
  std::vector<Reference> references;

  bool operator==(const KernelSpecification&) const = default;
};

struct General {
  std::string benchmark_name;
  std::string format_version;
  std::string logging_level;
  std::string time_unit;
  std::string output_file;
  std::string output_format;

  bool operator==(const General&) const = default;
};

enum class BudgetKind : std::uint8_t { seconds, configurations, fraction };

struct BudgetSpecification {
  BudgetKind kind = BudgetKind::configurations;
  double value = 0;

  bool operator==(const BudgetSpecification&) const = default;
};

struct Search {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;  // text as is, others as JSON

  bool operator==(const Search&) const = default;
};

struct T1File {
  General general;
  KernelSpecification kernel;
  space::Definition space;  // parameters with their values as listed, and the conditions
  std::optional<Config> declared_default;  // the "Default" fields, valid or not; nothing if none
  std::vector<BudgetSpecification> budget;
  Search search;
  // Fields that vyre does not know: path and JSON text. Each is named in a warning too.
  std::vector<std::pair<std::string, std::string>> unknown;
  std::vector<std::string> warnings;
};

// Does not build the space: that may be long.
Expected<T1File> read_t1(const std::filesystem::path& path,
                         const FileLimits& limits = {.file_bytes = 16U << 20U,
                                                     .unpacked_bytes = 16U << 20U});
Expected<T1File> parse_t1(std::string_view text, std::string_view name);

struct Start {
  std::uint64_t index = 0;  // in the space
  std::vector<std::string> warnings;
};

// The start of a search in this space: the declared default or, if that is not valid, the nearest
// valid configuration, with a warning that names the changes. Nothing if the file declares no
// default. `space` is the one built from t1.space.
Expected<std::optional<Start>> default_of(const T1File& t1, const space::Space& space);

}  // namespace vyre::recording
