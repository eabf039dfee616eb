// Status in the words of T4 and of Kernel Tuner.

#pragma once

#include <optional>
#include <string_view>

#include "vyre/recording.h"

namespace vyre::recording {

// T4's word; nothing if it has no such word.
std::optional<Status> parse_status(std::string_view word);

// What Kernel Tuner puts in the place of a measurement that failed.
std::string_view failure_word(Status status);

}  // namespace vyre::recording
