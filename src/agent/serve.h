// serve: passes for ever, whenever the server tells of a change and every `poll` at the latest.

#pragma once

#include "agent/signals.h"
#include "agent/sync.h"

namespace vyre::agent {

struct ServeOptions {
  Target target = {};
  SyncOptions sync = {};
  // A notification is only a hint: one that is lost costs this much time. Local files are looked at
  // as often.
  Milliseconds poll{5'000};
  Milliseconds retry{2'000};  // between two attempts to reach the server
  EventSink events = {};      // one message when the server goes and one when it comes
};

// Ends when a signal asks for it. bad_inputs: the connection string is wrong. A server that is away
// or refuses is no error.
Expected<void> serve(const ServeOptions& options, const Signals& signals);

}  // namespace vyre::agent
