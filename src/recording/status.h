// Status as T4 and Kernel Tuner spell it.

#pragma once

#include <optional>
#include <string_view>

#include "vyre/recording.h"

namespace vyre::recording {

// The status of T4's word; nothing for another word.
std::optional<Status> parse_status(std::string_view word);

// The word that Kernel Tuner writes in the place of a measurement that failed.
std::string_view failure_word(Status status);

}  // namespace vyre::recording
