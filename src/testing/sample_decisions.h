// Decisions and files that tests of the cache are made of.

#pragma once

#include <sys/stat.h>

#include <fstream>

#include "base/files/whole_file.h"
#include "testing/temporary_folder.h"
#include "vyre/decisions.h"

namespace vyre::testing {

inline constexpr std::size_t kMost = std::size_t{1} << 28U;

inline Identity today() {
  return {.backend = "b", .device = "d", .driver = "1", .limits = {1024, 7}};
}
inline Identity yesterday() {
  return {.backend = "b", .device = "d", .driver = "0", .limits = {1024, 7}};
}

inline Key key(std::uint64_t n) { return key_of({1, 2, 3}, std::array{n}); }

inline Decision decision(std::int64_t block, std::uint32_t samples = 10) {
  return {.program = "saxpy",
          .fingerprint = {1, 2, 3},
          .shape = {static_cast<std::uint64_t>(block)},
          .config = {{"block", block}},
          .space = "5pace",
          .elapsed = {100, 90, 110},
          .default_elapsed = {150, 140, 160},
          .samples = samples,
          .tied_candidates = 2,
          .runner_up = RunnerUp{{{"block", block + 1}}, {105, 95, 115}},
          .verified = true,
          .strategy = "natural",
          .decided_at = 1'763'000'000,
          .version = "0.1.0"};
}

struct Seen {
  std::vector<std::string> messages;
  EventSink sink() {
    return [this](const Event& event) { messages.push_back(event.message); };
  }
};

inline CacheOptions options_for(const std::filesystem::path& folder) {
  return {.adapter = "gpu", .folder = folder, .identity = today()};
}

inline void write_text(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

inline std::string text_of(const std::filesystem::path& file) { return *read_file(file, kMost); }

inline unsigned mode_of(const std::filesystem::path& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777U : 0;
}

}  // namespace vyre::testing
