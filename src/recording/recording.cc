#include "vyre/recording.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "recording/load.h"
#include "recording/status.h"

namespace vyre::recording {
namespace {

constexpr std::array kAllStatuses{Status::ok,      Status::timeout,     Status::compile,
                                  Status::runtime, Status::correctness, Status::constraints};

bool looks_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
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

std::optional<Status> parse_status(std::string_view word) {
  for (const Status status : kAllStatuses) {
    if (to_string(status) == word) return status;
  }
  return std::nullopt;
}

std::string_view failure_word(Status status) {
  if (status == Status::compile) return "CompilationFailedConfig";
  if (status == Status::constraints) return "InvalidConfig";
  return "RuntimeFailedConfig";
}

Expected<Recording> read_recording(const std::filesystem::path& path, const Limits& limits) {
  VYRE_TRY(const std::string text, load_text(path, limits));
  return looks_like_json(text) ? parse_t4(text, path.native()) : parse_csv(text, path.native());
}

}  // namespace vyre::recording
