// Tuning what others wish for: claim a wish, tune the own problem that it names, answer.
//
// The claim has a lease of the server's clock, which a Keeper renews. An agent that is cut off is
// taken over when the lease is over; its answer then has an old token and changes nothing. The
// decision is kept on this machine in any case, as one of `vyre tune` is.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "agent/own_problems.h"
#include "agent/signals.h"
#include "agent/store.h"
#include "vyre/tune.h"

namespace vyre::agent {

struct TuneWishesOptions {
  Target target = {};
  std::filesystem::path problems = {};
  std::string holder = {};  // for people: which machine works on it
  TuneOptions tune = {};    // budget, files and workers of each campaign
  Milliseconds lease{60'000};
  Milliseconds pause{600'000};  // how long a wish rests that could not be tuned here
  Milliseconds poll{5'000};
  Milliseconds retry{2'000};
  bool once = false;  // end when no wish is left that this machine can tune
  EventSink events = {};
};

struct TunedWishes {
  std::size_t answered = 0;
  std::size_t taken_over = 0;  // by another agent, while this one worked
  std::size_t failed = 0;
  std::size_t unsent = 0;  // answers that the server could not take before the end
};

// Until a signal comes or, with `once`, nothing is left to do. An error: the folder or the string
// is wrong or, with `once`, the server is away.
Expected<TunedWishes> tune_wishes(std::shared_ptr<Device> device, const TuneWishesOptions& options,
                                  const Signals& signals);

}  // namespace vyre::agent
