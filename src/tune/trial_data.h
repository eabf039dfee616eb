// TrialData: what candidates of a problem are run on, and what must come of it.
//
// There are two sets: the problem's own inputs, and others for those that may win. A candidate that
// is right for one set by chance is wrong for the other.

#pragma once

#include "backend/owned_call.h"
#include "tune/reference.h"
#include "vyre/problem.h"

namespace vyre {

struct TrialData {
  std::vector<std::vector<std::byte>> own;    // of `inputs`, those that are not the problem's
  std::vector<backend::InputContent> inputs;  // views into `own` or into the problem's data
  Reference reference;                        // to be filled in
};

// The problem's inputs. The problem must outlive them.
TrialData first_data(const Problem& problem);

// Whether any of the problem's inputs is arbitrary. Without one there is no second set.
bool has_second_data(const Problem& problem);

// An input that is arbitrary is drawn anew from the elements that it has, so every value is one
// that the problem allows. The others are as in the first set. The same on every machine.
TrialData second_data(const Problem& problem);

}  // namespace vyre
