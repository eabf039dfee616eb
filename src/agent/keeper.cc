#include "agent/keeper.h"

namespace vyre::agent {

Keeper::Keeper(Target target, Claim claim, Milliseconds lease)
    : target_(std::move(target)), claim_(claim), lease_(lease) {
  target_.connect_limit = std::min(target_.connect_limit, lease / 3);
  target_.query_limit = std::min(target_.query_limit, lease / 3);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Keeper::run(const std::stop_token& stop) {
  std::optional<Store> store;
  while (!stop.stop_requested()) {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, stop, lease_ / 3, [] { return false; });
    if (stop.stop_requested()) return;
    if (!store || !store->is_open()) {
      auto opened = Store::open(target_);
      if (!opened) continue;
      store.emplace(*std::move(opened));
    }
    const auto is_mine = store->renew(claim_, lease_);
    if (is_mine && !*is_mine) {
      is_lost_ = true;
      return;
    }
  }
}

}  // namespace vyre::agent
