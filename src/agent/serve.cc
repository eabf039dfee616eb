#include "agent/serve.h"

#include "base/error.h"

namespace vyre::agent {
namespace {

class Server {
 public:
  Server(const ServeOptions& options, const Signals& signals)
      : options_(options), signals_(signals), syncer_(options.sync) {}

  void run() {
    while (!signals_.is_asked()) {
      if (const auto ended = session(); !ended) tell_once(ended.error().message);
      if (!signals_.is_asked()) signals_.sleep(options_.retry);
    }
  }

 private:
  // Passes until the server is gone or a signal came.
  Expected<void> session() {
    VYRE_TRY(Store store, Store::open(options_.target));
    VYRE_TRY_VOID(store.listen());
    while (!signals_.is_asked()) {
      VYRE_TRY(const Synced synced, syncer_.pass(store));
      tell_once("connected");
      tell(synced);
      VYRE_TRY_VOID(store.wait(options_.poll, signals_.fd()));
    }
    return {};
  }

  void tell(const Synced& synced) const {
    for (const std::string& message : synced.messages) emit(message);
    if (synced.pulled + synced.published + synced.posted == 0) return;
    emit(fmt::format("{} decisions pulled, {} published, {} wishes posted", synced.pulled,
                     synced.published, synced.posted));
  }

  void emit(std::string message) const {
    if (options_.events) options_.events({.message = std::move(message)});
  }

  // The same state is told once, however long it lasts.
  void tell_once(const std::string& state) {
    if (state == state_) return;
    state_ = state;
    emit(state);
  }

  const ServeOptions& options_;
  const Signals& signals_;
  Syncer syncer_;
  std::string state_;
};

}  // namespace

Expected<void> serve(const ServeOptions& options, const Signals& signals) {
  VYRE_TRY_VOID(check_target(options.target.connect));
  Server(options, signals).run();
  return {};
}

}  // namespace vyre::agent
