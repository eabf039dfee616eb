#include "vyre/recording.h"

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/gzip.h"
#include "base/json_node.h"
#include "base/text.h"
#include "recording/csv_importer.h"
#include "recording/kernel_tuner_file.h"
#include "recording/load_text.h"
#include "recording/t1_reader.h"
#include "recording/t4_reader.h"
#include "recording/t4_writer.h"

namespace vyre::recording {
namespace {

bool looks_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

// The error of a document, with the name of its file before it.
template <class T>
Expected<T> named(std::string_view name, Expected<T> result) {
  if (result) return result;
  return bad_inputs("{}: {}", quote_path(name), result.error().message);
}

Expected<void> write_text(const std::filesystem::path& path, std::string text) {
  if (path.extension() == ".gz") {
    VYRE_TRY(text, gzip(text));
  }
  return write_file_atomically(path, text);
}

// "MDIMC" = 32 becomes 16, "KREG" (no default) is 1
std::string describe_changes(const Config& declared, const space::Space& space,
                             const space::Nearest& nearest) {
  const Config chosen = space.config_at(nearest.index);
  std::string out;
  for (const std::size_t i : nearest.changed) {
    const auto& [name, value] = chosen.entries()[i];
    const Value* const before = declared.find(name);
    if (!out.empty()) out += ", ";
    out += before != nullptr
               ? fmt::format("{} = {} becomes {}", quote(name), vyre::to_string(*before),
                             vyre::to_string(value))
               : fmt::format("{} (no default) is {}", quote(name), vyre::to_string(value));
  }
  return out;
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::ok:
      return "correct";
    case Status::timeout:
      return "timeout";
    case Status::compile:
      return "compile";
    case Status::runtime:
      return "runtime";
    case Status::correctness:
      return "correctness";
    case Status::constraints:
      return "constraints";
  }
  return "unknown";
}

Expected<Recording> parse_t4(std::string_view text, std::string_view name) {
  return named(name, read_t4_document(text));
}

Expected<Recording> parse_kernel_tuner(std::string_view text, std::string_view name) {
  return named(name, read_kernel_tuner_document(text));
}

Expected<Recording> parse_csv(std::string_view text, std::string_view name) {
  return named(name, read_csv_document(text));
}

Expected<Recording> read_recording(const std::filesystem::path& path, const FileLimits& limits) {
  VYRE_TRY(const std::string text, load_text(path, limits));
  if (!looks_like_json(text)) return parse_csv(text, path.native());
  return is_kernel_tuner_file(text) ? parse_kernel_tuner(text, path.native())
                                    : parse_t4(text, path.native());
}

Expected<std::string> to_t4(const Recording& recording) { return write_t4_document(recording); }

Expected<void> write_t4(const std::filesystem::path& path, const Recording& recording) {
  VYRE_TRY(std::string text, to_t4(recording));
  return write_text(path, std::move(text));
}

Expected<std::string> to_kernel_tuner(const Recording& recording) {
  return write_kernel_tuner_document(recording);
}

Expected<void> write_kernel_tuner(const std::filesystem::path& path, const Recording& recording) {
  VYRE_TRY(std::string text, to_kernel_tuner(recording));
  return write_text(path, std::move(text));
}

Expected<space::Space> to_space(const Recording& recording) {
  std::vector<space::Point> points;
  points.reserve(recording.rows.size());
  for (const Row& row : recording.rows) points.push_back(row.point);
  return space::Space::from_rows(recording.parameters, std::move(points));
}

Expected<T1File> parse_t1(std::string_view text, std::string_view name) {
  const auto json = parse_json(text);
  if (!json) return bad_inputs("{}: {}", quote_path(name), json.error().message);
  return named(name, read_t1_document(JsonNode(*json, "")));
}

Expected<T1File> read_t1(const std::filesystem::path& path, const FileLimits& limits) {
  VYRE_TRY(const std::string text, load_text(path, limits));
  return parse_t1(text, path.native());
}

Expected<std::optional<Start>> default_of(const T1File& t1, const space::Space& space) {
  if (!t1.declared_default) return std::nullopt;
  VYRE_TRY(const space::Nearest nearest, space.nearest_valid(*t1.declared_default));
  Start out{nearest.index, {}};
  if (!nearest.changed.empty()) {
    out.warnings.push_back(
        fmt::format("the default is not a valid configuration; starting from the nearest one: {}",
                    describe_changes(*t1.declared_default, space, nearest)));
  }
  return out;
}

}  // namespace vyre::recording
