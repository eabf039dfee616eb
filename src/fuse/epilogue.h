// Epilogue: the consumer's work is done where the producer stores.
//
// The consumer computes each element of its outputs from the elements of the producer's buffers
// with the same number. So behind the producer's store of an element, the joined program stores the
// consumer's elements of that number. It has the producer's launch. The producer may be anything
// that stores each element exactly once: a matrix product with tiles, local arrays and barriers.

#pragma once

#include <expected>

#include "fuse/refusal.h"
#include "fuse/stage.h"

namespace vyre::fuse {

// Rules of refusals: epilogue.unread, .output, .loads, .stores, .injective, .complete, .beside,
// .length, .own, .width, .pointwise, and of the consumer's recipes .once, .plain, .covers,
// .carried, .index; too-large.
std::expected<Stage, Refusal> join_epilogue(const Stage& producer, const Stage& consumer,
                                            const JoinContext& context);

}  // namespace vyre::fuse
