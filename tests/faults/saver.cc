#include "saver.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace vyre::faults {

CacheOptions options_for(const std::filesystem::path& folder) {
  return {.adapter = "gpu", .folder = folder, .identity = {.backend = "test"}, .lock_seconds = 60};
}

Key key(std::uint64_t n) { return key_of({7}, std::array{n}); }

Decision decision(std::uint64_t n) {
  return {.program = "p",
          .fingerprint = {7},
          .shape = {n},
          .config = {{"block", static_cast<std::int64_t>(n)}},
          .elapsed = {100, 90, 110},
          .samples = 5,
          .decided_at = 1};
}

int saver_main(int argc, char** argv) {
  if (argc != 5) return 2;
  const std::uint64_t first = std::strtoull(argv[3], nullptr, 10);
  const std::uint64_t count = std::strtoull(argv[4], nullptr, 10);
  auto cache = DecisionCache::open(options_for(argv[2]));
  for (std::uint64_t n = first; n < first + count; ++n) {
    cache.offer(key(n), decision(n));
    if (!cache.save()) return 1;
    const std::string line = std::to_string(n) + "\n";
    if (::write(1, line.data(), line.size()) < 0) return 3;
  }
  return 0;
}

}  // namespace vyre::faults
