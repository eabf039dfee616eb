#include "cli/limits.h"

#include <algorithm>

#include "base/error.h"
#include "base/memory.h"

namespace vyre::cli {
namespace {

Expected<std::chrono::milliseconds> time_limit(const char* option, double seconds) {
  if (!(seconds > 0)) return bad_inputs("{}: give seconds above 0", option);
  return std::chrono::ceil<std::chrono::milliseconds>(
      std::chrono::duration<double>(std::min(seconds, 1e6)));
}

}  // namespace

void add_limits(Command& command, LimitFlags& flags) {
  command.option("--build-limit", flags.build_seconds,
                 "Seconds after which a compiler counts as hanging", {.shows_default = true});
  command.option("--build-memory", flags.build_mebibytes,
                 "MiB of memory that compiling a kernel may take; 0: no limit",
                 {.shows_default = true});
  command.option("--run-limit", flags.run_seconds, "Seconds after which a run counts as hanging",
                 {.shows_default = true});
}

Expected<Limits> limits_of(const LimitFlags& flags) {
  Limits out;
  VYRE_TRY(out.build, time_limit("--build-limit", flags.build_seconds));
  out.build_memory = saturating_product(flags.build_mebibytes, std::uint64_t{1} << 20U);
  VYRE_TRY(out.run, time_limit("--run-limit", flags.run_seconds));
  return out;
}

}  // namespace vyre::cli
