#include "bounds/proof_budget.h"

#include <algorithm>

namespace vyre::bounds {
namespace {

thread_local ProofBudget* current_budget = nullptr;

}  // namespace

ProofBudget::ProofBudget(std::uint64_t work) : left_(work), outer_(current_budget) {
  current_budget = this;
}

ProofBudget::~ProofBudget() { current_budget = outer_; }

bool ProofBudget::has_work() { return current_budget == nullptr || current_budget->left_ > 0; }

void ProofBudget::take(std::uint64_t work) {
  if (current_budget != nullptr) current_budget->left_ -= std::min(work, current_budget->left_);
}

}  // namespace vyre::bounds
