#include "agent/tune_wishes.h"

#include "agent/keeper.h"
#include "base/error.h"
#include "base/text.h"

namespace vyre::agent {
namespace {

struct AnswerToSend {
  Claim claim = {};
  SharedDecision decision = {};
};

class WishTuner {
 public:
  WishTuner(std::shared_ptr<Device> device, const TuneWishesOptions& options,
            const Signals& signals, OwnProblems problems)
      : device_(std::move(device)),
        options_(options),
        signals_(signals),
        problems_(std::move(problems)) {}

  Expected<TunedWishes> run() {
    std::string told;
    while (!signals_.is_asked()) {
      const auto ended = session();
      if (ended && options_.once) break;
      if (!ended && options_.once) return std::unexpected(ended.error());
      if (!ended && ended.error().message != told) tell(told = ended.error().message);
      signals_.sleep(options_.retry);
    }
    done_.unsent = unsent_.size();
    return done_;
  }

 private:
  void tell(const std::string& message) const {
    if (options_.events) options_.events({.message = message});
  }

  // Works until the server is gone, a signal came or, with `once`, nothing is left.
  Expected<void> session() {
    VYRE_TRY(Store store, Store::open(options_.target));
    VYRE_TRY_VOID(store.listen());
    while (!signals_.is_asked()) {
      VYRE_TRY_VOID(send_answers(store));
      VYRE_TRY(const bool worked, work_on_one(store));
      if (worked) continue;
      if (options_.once) return {};
      VYRE_TRY_VOID(store.wait(options_.poll, signals_.fd()));
    }
    return {};
  }

  // Whether there was a wish to work on.
  Expected<bool> work_on_one(Store& store) {
    VYRE_TRY(const auto wishes, store.wishes(id_of(identity_of(device_->info()))));
    for (const PostedWish& posted : wishes) {
      if (!posted.holder.empty() || failed_.contains(posted.id)) continue;
      auto problem = problems_.problem_for(posted.wish);
      if (!problem) {
        give_up(posted, problem.error().message);
        continue;
      }
      if (!*problem) continue;
      VYRE_TRY(const auto claim, store.claim(posted.id, options_.holder, options_.lease));
      if (!claim) continue;
      VYRE_TRY_VOID(work(store, posted, *claim, **problem));
      return true;
    }
    return false;
  }

  void give_up(const PostedWish& posted, const std::string& why) {
    failed_.insert(posted.id);
    ++done_.failed;
    tell(fmt::format("wish {}: {}", posted.id, why));
  }

  Expected<void> work(Store& store, const PostedWish& posted, const Claim& claim,
                      const Problem& problem) {
    bool is_lost = false;
    const auto tuned = tune_under(claim, problem, is_lost);
    if (is_lost) {
      ++done_.taken_over;
      tell(fmt::format("wish {}: another agent has taken over", posted.id));
      return {};
    }
    if (!tuned) {
      give_up(posted, tuned.error().message);
      return tolerate_away(store.renew(claim, options_.pause));
    }
    // Another agent may begin at once.
    if (tuned->is_interrupted()) return tolerate_away(store.renew(claim, Milliseconds(0)));
    unsent_.push_back({.claim = claim,
                       .decision = {.adapter = safe_name(device_->info()),
                                    .identity = identity_of(device_->info()),
                                    .key = tuned->key,
                                    .decision = tuned->decision}});
    return send_answers(store);
  }

  Expected<Tuned> tune_under(const Claim& claim, const Problem& problem, bool& is_lost) {
    const Keeper keeper(options_.target, claim, options_.lease);
    TuneOptions wanted = options_.tune;
    const auto goes_on = [&] { return !signals_.is_asked() && !keeper.is_lost(); };
    wanted.on_progress = [&](const Progress&) { return goes_on(); };
    wanted.on_wait = [&](double) { return goes_on(); };
    auto tuned = tune(device_, problem, wanted);
    is_lost = keeper.is_lost();
    if (tuned && tuned->ended_by) return std::unexpected(*tuned->ended_by);
    return tuned;
  }

  // What the server does not learn now it learns when the lease is over.
  static Expected<void> tolerate_away(const Expected<bool>& renewed) {
    if (renewed) return {};
    return std::unexpected(renewed.error());
  }

  Expected<void> send_answers(Store& store) {
    while (!unsent_.empty()) {
      const AnswerToSend& next = unsent_.front();
      const auto answered = store.fulfil(next.claim, next.decision);
      if (!answered && answered.error().kind == ErrorKind::backend) {
        return std::unexpected(answered.error());
      }
      if (!answered) {
        ++done_.failed;
        tell(fmt::format("wish {}: {}", next.claim.wish, answered.error().message));
      } else if (*answered == 0) {
        ++done_.taken_over;
        tell(fmt::format("wish {}: answered too late, another agent has taken over",
                         next.claim.wish));
      } else {
        ++done_.answered;
        tell(fmt::format("wish {}: {} tuned", next.claim.wish,
                         quote(next.decision.decision.program)));
      }
      unsent_.erase(unsent_.begin());
    }
    return {};
  }

  std::shared_ptr<Device> device_;
  const TuneWishesOptions& options_;
  const Signals& signals_;
  OwnProblems problems_;
  std::vector<AnswerToSend> unsent_;
  std::set<std::uint64_t> failed_;
  TunedWishes done_;
};

}  // namespace

Expected<TunedWishes> tune_wishes(std::shared_ptr<Device> device, const TuneWishesOptions& options,
                                  const Signals& signals) {
  VYRE_TRY_VOID(check_target(options.target.connect));
  VYRE_TRY(OwnProblems problems, OwnProblems::find(options.problems, device->info()));
  if (options.events) {
    for (const std::string& message : problems.messages()) options.events({.message = message});
  }
  return WishTuner(std::move(device), options, signals, std::move(problems)).run();
}

}  // namespace vyre::agent
