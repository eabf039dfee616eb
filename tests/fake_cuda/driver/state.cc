#include "fake_cuda/driver/state.h"

namespace fake_cuda {

bool State::knows(const Context* context) const {
  for (const auto& [device, known] : primary) {
    if (known.get() == context) return context != nullptr;
  }
  return false;
}

LoadedFunction* State::find_function(const Context& context, void* handle) const {
  for (const auto& [key, module] : context.modules) {
    for (const auto& [name, function] : module->functions) {
      if (function.get() == handle) return function.get();
    }
  }
  return nullptr;
}

// Never destroyed: other libraries may call during the process's end.
std::mutex& state_mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

State& state() {
  static auto* all = new State;
  return *all;
}

Context*& current_context() {
  thread_local Context* context = nullptr;
  return context;
}

}  // namespace fake_cuda
