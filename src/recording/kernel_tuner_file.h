// The cache files of Kernel Tuner: what it measured, and what its simulation mode runs on.
//
// One JSON object: a header (device_name, kernel_name, tune_params_keys, tune_params) and `cache`,
// an object with one member per configuration, times in milliseconds. A file that Kernel Tuner has
// open, or had open when it was killed, ends after a comma: the closing brackets are missing.

#pragma once

#include <string>
#include <string_view>

#include "vyre/recording.h"

namespace vyre::recording {

// By its members, not by its name.
bool is_kernel_tuner_file(std::string_view text);

// Metadata are device_name as "device" and kernel_name as "kernel".
Expected<Recording> read_kernel_tuner_document(std::string_view text);

// Fails as write_t4_document does, and if metadata has no "kernel": Kernel Tuner compares it with
// the name of the kernel that it simulates.
Expected<std::string> write_kernel_tuner_document(const Recording& recording);

}  // namespace vyre::recording
