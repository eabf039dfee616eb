// Which of two decisions for the same key and identity stays.

#pragma once

#include <string>
#include <string_view>

#include "vyre/decisions.h"

namespace vyre {

// id_of, from the id of the identity.
std::string decision_id(const Decision& decision, std::string_view identity);

// The samples that a decision counts for. A decision that was chosen over another one side by side
// counts for no fewer than the other. So the order in which files are merged does not matter.
std::uint32_t evidence_of(const Decision& decision);

// Whether `fresh` names `old` among those that it superseded.
bool has_superseded(const Decision& fresh, const Decision& old, std::string_view identity);

}  // namespace vyre
