// Numbers written as text: CSV fields, and KTT's T4 files, which write every value so.

#pragma once

#include <optional>
#include <string_view>

#include "vyre/config.h"

namespace vyre::recording {

// The whole text as a finite real, rounded correctly; nothing for "nan", "inf", blanks, "0x10".
std::optional<double> parse_real(std::string_view text);

// An integer if it is one of 64 bits, else a real, else nothing.
std::optional<Value> parse_number(std::string_view text);

}  // namespace vyre::recording
