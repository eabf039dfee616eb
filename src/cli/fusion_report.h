// What `vyre fuse FILE` shows: which steps of a sequence can be joined, how, and why not.

#pragma once

#include <string>

#include "vyre/fuse.h"

namespace vyre::cli {

// `original` is the sequence that was widened. `milliseconds`: what the analysis took.
std::string fusion_text(const ir::Sequence& original, const fuse::Widened& widened,
                        double milliseconds);
std::string fusion_json(const ir::Sequence& original, const fuse::Widened& widened);

}  // namespace vyre::cli
