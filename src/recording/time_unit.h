// Units of time as T1 and T4 name them, in every spelling seen in files.

#pragma once

#include <optional>
#include <string_view>

namespace vyre::recording {

enum class TimeUnit { nanoseconds, microseconds, milliseconds, seconds };

// "Milliseconds", "miliseconds" (sic: the FAIR recordings), "ms", ...; upper and lower case alike.
std::optional<TimeUnit> parse_time_unit(std::string_view text);

// Exact for milliseconds; else correctly rounded.
double to_ms(double value, TimeUnit unit);

}  // namespace vyre::recording
