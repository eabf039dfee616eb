#include "report/words.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vyre::report {

std::string time_text(double ns) {
  if (ns <= 0) return "";
  if (ns < 1e3) return fmt::format("{:.3g} ns", ns);
  if (ns < 1e6) return fmt::format("{:.3g} us", ns / 1e3);
  return ns < 1e9 ? fmt::format("{:.3g} ms", ns / 1e6) : fmt::format("{:.3g} s", ns / 1e9);
}

std::string seconds_text(double seconds) {
  if (seconds >= 100) return fmt::format("{:.0f} s", seconds);
  return seconds >= 1 ? fmt::format("{:.1f} s", seconds) : fmt::format("{:.3f} s", seconds);
}

std::string drift_text(double drift) {
  return fmt::format(
      "the device became {:.2f} times {} while it was measured; tune again when nothing else runs",
      drift >= 1 ? drift : 1 / drift, drift >= 1 ? "slower" : "faster");
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  return fmt::format("{}", fmt::join(shape, " "));
}

// A time that no calendar has is shown as a number: fmt::gmtime throws for it.
std::string date_text(std::int64_t seconds) {
  constexpr std::int64_t kYear9999 = 253'402'300'799;
  if (seconds <= 0 || seconds > kYear9999) return fmt::format("{}", seconds);
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

}  // namespace vyre::report
