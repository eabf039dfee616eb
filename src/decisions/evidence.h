// Which of two decisions for the same key and identity stays: the order of merging.
//
// The order is total, and it depends on nothing but the two decisions. So merging gives the same
// result in any order, in any grouping, and however often a decision is met: the greatest stays. No
// clock takes part in it, because the clocks of two machines differ.
//
// A decision that took the place of another one must be the greater of the two wherever they meet.
// It therefore counts for one sample more than the one that it superseded. Files of earlier
// versions have it count for as many; there the longer chain of superseded decisions tells.

#pragma once

#include <string>
#include <string_view>

#include "base/blake3.h"
#include "vyre/decisions.h"

namespace vyre {

// id_of, from the id of the identity.
std::string decision_id(const Decision& decision, std::string_view identity);

// The samples that a decision counts for: its own, or one more than those of a decision that it
// superseded.
std::uint32_t evidence_of(const Decision& decision);

// Whether `fresh` names `old` among those that it superseded.
bool has_superseded(const Decision& fresh, const Decision& old, std::string_view identity);

// Makes `fresh` the greater one: it names `old`, and counts for more.
void note_superseded(Decision& fresh, const Decision& old, std::string_view identity);

// Over all fields of the decision, as the file has them.
Hash entry_hash(const Decision& decision, std::string_view identity);

// Whether `a` is greater than `b`: more evidence, then more superseded decisions, then the greater
// hash. Neither of two equal decisions is greater.
bool is_greater(const Decision& a, const Decision& b, std::string_view identity);

}  // namespace vyre
