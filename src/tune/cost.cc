#include "tune/cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace vyre {

std::int64_t now_unix_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

void add_cost(Cost& cost, const Answer& answer) {
  const Result& result = answer.result;
  const double verifying = std::min(result.verify_seconds, result.compile_seconds);
  cost.compile_seconds += result.compile_seconds - verifying;
  cost.verify_seconds += verifying;
  cost.run_seconds += result.run_seconds;
  cost.unix_ms = answer.unix_ms > 0 ? answer.unix_ms : now_unix_ms();
}

std::string utc_text(std::int64_t unix_ms) {
  using namespace std::chrono;
  if (unix_ms <= 0) return "";
  const sys_time<milliseconds> time{milliseconds(unix_ms)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03}+00:00",
                     static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

}  // namespace vyre
