// State: contexts and the handles that belong to them.
//
// One lock guards everything, and a launch runs within the call that makes it. So streams are in
// order, and an event's time is the host's clock at its record. A fault of a kernel is the
// context's error from then on: as on a card, the launch itself returns success and every later
// call in that context fails, until the primary context is released by all.

#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "backend/cuda/driver.h"
#include "fake_cuda/driver/errors.h"
#include "fake_cuda/driver/link.h"
#include "fake_cuda/driver/memory.h"
#include "fake_cuda/driver/wishes.h"

namespace fake_cuda {

struct LoadedFunction {
  struct LoadedModule* module = nullptr;
  std::unique_ptr<Kernel> kernel;
};

struct LoadedModule {
  struct Context* context = nullptr;
  std::unique_ptr<Module> ptx;
  Addresses addresses;  // of variables, each an allocation
  std::map<std::string, std::unique_ptr<LoadedFunction>> functions;
};

struct Stream {};

struct Event {
  unsigned flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point time;
};

struct Context {
  int device = 0;
  int references = 0;
  int error = kSuccess;
  Memory memory{wished_memory()};
  std::map<void*, std::unique_ptr<LoadedModule>> modules;
  std::map<void*, std::unique_ptr<Stream>> streams;
  std::map<void*, std::unique_ptr<Event>> events;
};

class State {
 public:
  bool initialized = false;
  InjectedFailures failures;
  std::map<int, std::unique_ptr<Context>> primary;  // by device
  std::string last_fault;

  bool knows(const Context* context) const;
  // The function, if it belongs to `context`.
  LoadedFunction* find_function(const Context& context, void* handle) const;
};

// Taken for the length of a call.
std::mutex& state_mutex();
State& state();

// The calling thread's; may be one that is gone.
Context*& current_context();

inline bool is_device(int device) { return device >= 0 && device < wished_devices(); }

// Runs an entry point: injected failures and cuInit first.
template <class Body>
int call_of(const char* name, bool needs_init, Body body) {
  const std::lock_guard lock(state_mutex());
  State& all = state();
  Context* context = all.knows(current_context()) ? current_context() : nullptr;
  if (const int injected = all.failures.error_of_call(name); injected != kSuccess) {
    if (is_sticky(injected) && context != nullptr) context->error = injected;
    return injected;
  }
  if (needs_init && !all.initialized) return kNotInitialized;
  return body(all);
}

// The same for an entry point that works in the current context.
template <class Body>
int call_in_context(const char* name, Body body) {
  return call_of(name, true, [&](State& all) -> int {
    Context* context = current_context();
    if (context == nullptr) return kInvalidContext;
    if (!all.knows(context)) return kContextIsDestroyed;
    if (context->error != kSuccess) return context->error;
    return body(all, *context);
  });
}

}  // namespace fake_cuda

// The entry points are the only names that the library shows.
#define FAKE_CUDA_ENTRY extern "C" __attribute__((visibility("default"))) int
