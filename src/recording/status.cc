#include "recording/status.h"

#include <algorithm>
#include <array>

namespace vyre::recording {
namespace {

constexpr std::array kAllStatuses{Status::ok,      Status::timeout,     Status::compile,
                                  Status::runtime, Status::correctness, Status::constraints};

}  // namespace

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

}  // namespace vyre::recording
