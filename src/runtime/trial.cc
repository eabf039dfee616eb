#include "runtime/trial.h"

#include "base/error.h"

namespace vyre {

Expected<bool> Trial::step(const std::shared_ptr<Device>& device) {
  if (steps_) return steps_->step();
  VYRE_TRY(TuneSteps steps, TuneSteps::begin(device, problem_, options_));
  steps_.emplace(std::move(steps));
  return true;
}

Expected<Tuned> Trial::run(const std::shared_ptr<Device>& device) {
  for (bool more = true; more;) {
    VYRE_TRY(more, step(device));
  }
  return finish();
}

}  // namespace vyre
