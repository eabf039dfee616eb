// Times, shapes and dates as people read them.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vyre::report {

std::string time_text(double ns);          // "12.3 us"; empty if it is not above 0
std::string seconds_text(double seconds);  // "12.3 s", "0.034 s"
// "the device became 1.30 times slower while it was measured; ..."
std::string drift_text(double drift);
std::string shape_text(const std::vector<std::uint64_t>& shape);
// "2026-03-01 14:05 UTC", of seconds since 1970.
std::string date_text(std::int64_t seconds);

}  // namespace vyre::report
