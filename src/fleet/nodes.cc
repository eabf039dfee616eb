#include "fleet/nodes.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <unordered_map>

#include "base/error.h"
#include "tune/problem_call.h"
#include "tune/suspect.h"
#include "tune/worker/crew.h"

namespace vyre::fleet {
namespace {

using State = Place::State;

constexpr double kWaitSeconds = 0.1;  // how often the caller is asked whether to go on
constexpr std::size_t kLossesToSuspect = 2;

bool is_timed(const Work& work) { return work.step != Step::admit; }

// A piece of work from its start to its answer.
struct Item {
  std::uint64_t ticket = 0;
  Work work = {};
  std::optional<std::size_t> place = {};  // where it is under way
  std::vector<std::size_t> lost = {};     // places that were lost meanwhile
  std::vector<std::string> names = {};    // of those, then
  std::optional<Answer> answer = {};
};

// Numbers of jobs and tickets are never used again in a process: what comes late is of no job.
std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

class Nodes final : public Evaluator {
 public:
  Nodes(Fleet& fleet, const Problem& problem, OnNodesOptions options, Parcel parcel)
      : fleet_(fleet),
        space_(problem.space),
        default_index_(problem.default_index),
        options_(std::move(options)),
        parcel_(std::move(parcel)),
        known_(fleet.places().size()) {}

  Expected<void> begin() {
    for (std::size_t k = 0; k < places().size(); ++k) {
      const State state = places()[k].state;
      if (state != State::out && state != State::starting && state != State::waiting) send_job(k);
    }
    while (!home_) {
      VYRE_TRY_VOID(wait(now_seconds() + kWaitSeconds));
    }
    return {};
  }

  std::size_t workers() const override { return options_.in_flight; }
  bool answers_in_order() const override { return true; }
  bool is_warm() const override { return is_warm_; }

  Expected<void> start(const Work& work) override {
    items_.push_back({.ticket = next_number(), .work = work});
    hand_out();
    return {};
  }

  Expected<std::optional<Answer>> next(double until) override {
    for (;;) {
      if (items_.empty()) return std::nullopt;
      if (items_.front().answer) {
        Answer answer = *std::move(items_.front().answer);
        items_.pop_front();
        return answer;
      }
      hand_out();
      if (now_seconds() >= until) return std::nullopt;
      VYRE_TRY_VOID(wait(until));
    }
  }

  void give_up() override {
    items_.clear();
    for (std::size_t k = 0; k < places().size(); ++k) {
      if (places()[k].state == State::ready) fleet_.streams().send(k, FrameKind::give_up, "");
    }
  }

  void recall(const Answer& answer) override {
    if (is_timed(answer.work) && answer.result.status == Status::ok) ++told_[answer.work.index];
  }

  double now_seconds() const override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  double kernel_seconds() const override { return kernel_seconds_; }

 private:
  std::vector<Place>& places() { return fleet_.places(); }

  bool is_ready(std::size_t place) { return places()[place].state == State::ready; }

  // ---- The job

  void send_job(std::size_t place) {
    places()[place].state = State::loading;
    known_[place].clear();
    fleet_.streams().send(place, FrameKind::job, to_bytes(parcel_.job));
  }

  Expected<void> send_data(std::size_t place, const Want& want) {
    if (want.job != parcel_.job.head.id) return {};
    for (const std::uint64_t blob : want.blobs) {
      if (blob >= parcel_.blobs.size()) return backend_error("it asks for data that there is not");
      fleet_.streams().send_data(place, want.job, blob, parcel_.blobs[blob]);
    }
    return {};
  }

  void now_ready(std::size_t place, const Ready& ready) {
    if (ready.job != parcel_.job.head.id) return;
    Place& there = places()[place];
    there.state = State::ready;
    there.ready = ready;
    if (!unit_ms_) {
      unit_ms_ = ready.default_ms;
      is_warm_ = ready.is_warm;
    }
    if (!home_) home_ = place;
  }

  // ---- Who does what

  std::size_t load(std::size_t place) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        items_, [&](const Item& item) { return item.place == place && !item.answer; }));
  }

  // Whether something is tried there that has lost a node already: nothing else is, then.
  bool is_reserved(std::size_t place) const {
    return std::ranges::any_of(items_, [&](const Item& item) {
      return item.place == place && !item.answer && !item.lost.empty();
    });
  }

  // The one of the ready nodes that has the least to do; one that was not lost with this work, if
  // there is such a node.
  std::optional<std::size_t> idlest(const Item& item) {
    std::optional<std::size_t> best;
    std::pair<bool, std::size_t> best_rank;
    for (std::size_t k = 0; k < places().size(); ++k) {
      if (!is_ready(k) || is_reserved(k)) continue;
      const bool was_lost = std::ranges::find(item.lost, k) != item.lost.end();
      const std::pair rank(was_lost, load(k));
      if (!best || rank < best_rank) {
        best = k;
        best_rank = rank;
      }
    }
    return best;
  }

  // None: it has to wait.
  std::optional<std::size_t> place_for(const Item& item) {
    const bool is_final = item.work.step == Step::race || item.work.step == Step::pair;
    const auto place = is_final ? home() : idlest(item);
    if (!place || is_reserved(*place)) return std::nullopt;
    if (!item.lost.empty()) return load(*place) == 0 ? place : std::nullopt;
    if (is_final) return place;
    if (item.work.step == Step::sample) {
      const auto owner = owners_.find(item.work.index);
      if (owner == owners_.end() || !is_ready(owner->second)) return place;
      return is_reserved(owner->second) ? std::nullopt : std::optional(owner->second);
    }
    return load(*place) < places()[*place].ready.workers ? place : std::nullopt;
  }

  std::optional<std::size_t> home() {
    if (home_ && is_ready(*home_)) return home_;
    for (std::size_t k = 0; k < places().size(); ++k) {
      if (!is_ready(k)) continue;
      home_ = k;
      return home_;
    }
    return std::nullopt;
  }

  // No node gets more than its workers do at a time: what waits here is not lost with a node.
  void hand_out() {
    for (Item& item : items_) {
      if (item.place || item.answer) continue;
      const auto place = place_for(item);
      if (place && load(*place) < places()[*place].ready.workers) give(item, *place);
    }
  }

  void give(Item& item, std::size_t place) {
    item.place = place;
    const std::uint64_t index = item.work.index;
    if (item.work.step == Step::admit) owners_[index] = place;
    const Config config = space_.config_at(index);
    // A recorded device gives its runs in turn, wherever those before were taken.
    std::uint64_t& known = known_[place][index];
    const std::uint64_t told = told_.contains(index) ? told_[index] : 0;
    if (is_timed(item.work) && known < told) {
      fleet_.streams().send(place, FrameKind::recall,
                            to_bytes(RecallMessage{item.work, config, told - known}));
      known = told;
    }
    fleet_.streams().send(place, FrameKind::start,
                          to_bytes(StartMessage{item.ticket, item.work, config}));
  }

  // ---- What comes

  Expected<void> wait(double until) {
    if (options_.on_wait && !options_.on_wait(now_seconds())) {
      return fail(ErrorKind::backend, worker::kStopped, "the campaign was asked to stop");
    }
    const double seconds = std::min(until - now_seconds(), kWaitSeconds);
    for (const StreamEvent& event : fleet_.wait(seconds)) take(event);
    if (fleet_.has_hope()) return {};
    Error error = fleet_.last_error();
    if (error.kind == ErrorKind::backend) {
      error.message = fmt::format("no node is left: {}", error.message);
    }
    return std::unexpected(std::move(error));
  }

  void take(const StreamEvent& event) {
    if (!event.frame) return lost(event.place);
    if (const auto sound = take_frame(event.place, *event.frame); !sound) {
      fleet_.dismiss(event.place, sound.error().message);
      lost(event.place);
    }
  }

  Expected<void> take_frame(std::size_t place, const Frame& frame) {
    if (frame.kind == FrameKind::greeting) {
      send_job(place);
    } else if (frame.kind == FrameKind::want) {
      VYRE_TRY(const Want want, want_from(frame.content));
      return send_data(place, want);
    } else if (frame.kind == FrameKind::ready) {
      VYRE_TRY(const Ready ready, ready_from(frame.content));
      now_ready(place, ready);
    } else if (frame.kind == FrameKind::answer) {
      VYRE_TRY(AnswerMessage answer, answer_from(frame.content));
      return take_answer(place, std::move(answer));
    } else if (frame.kind == FrameKind::error) {
      VYRE_TRY(const ErrorMessage error, error_from(frame.content));
      if (error.job == parcel_.job.head.id) refused(place, error.error);
    } else {
      return backend_error("it sends what a campaign sends");
    }
    return {};
  }

  Expected<void> take_answer(std::size_t place, AnswerMessage message) {
    const auto item = std::ranges::find(items_, message.ticket, &Item::ticket);
    if (item == items_.end() || item->answer || item->place != place) return {};
    Result& result = message.result;
    const bool is_run = is_timed(item->work) && result.status == Status::ok;
    if (is_run && !(result.time_ms > 0)) return backend_error("a run of it has taken no time");
    const double scale = *unit_ms_ / places()[place].ready.default_ms;
    result.time_ms *= scale;
    result.default_ms *= scale;
    if (is_run) known_[place][item->work.index] = ++told_[item->work.index];
    kernel_seconds_ += message.kernel_seconds;
    places()[place].false_starts = 0;
    item->answer = Answer{.work = item->work,
                          .result = result,
                          .why = std::move(message.why),
                          .seconds = now_seconds()};
    return {};
  }

  // ---- What does not come

  void refused(std::size_t place, const Error& error) {
    fleet_.refuse(place, error);
    for (Item& item : items_) {
      if (item.place == place && !item.answer) item.place.reset();
    }
    forget(place);
  }

  void lost(std::size_t place) {
    std::size_t redone = 0;
    for (Item& item : items_) {
      if (item.place != place || item.answer) continue;
      item.place.reset();
      item.lost.push_back(place);
      item.names.push_back(fleet_.name_of(place));
      if (item.lost.size() < kLossesToSuspect || item.work.index == default_index_) {
        ++redone;
        continue;
      }
      item.answer = Answer{.work = item.work,
                           .result = {.status = Status::runtime},
                           .why = suspect_of(item.names[0], item.names[1]),
                           .seconds = now_seconds()};
    }
    if (redone > 0) {
      fleet_.warn(fmt::format("{} configuration{} under way on {}: tried once more", redone,
                              redone == 1 ? " was" : "s were", fleet_.name_of(place)));
    }
    forget(place);
  }

  void forget(std::size_t place) {
    known_[place].clear();
    std::erase_if(owners_, [&](const auto& owner) { return owner.second == place; });
  }

  Fleet& fleet_;
  space::Space space_;
  std::uint64_t default_index_;
  OnNodesOptions options_;
  Parcel parcel_;
  std::deque<Item> items_;                                 // started and not told, in order
  std::unordered_map<std::uint64_t, std::size_t> owners_;  // who has compiled a configuration
  std::unordered_map<std::uint64_t, std::uint64_t> told_;  // timed runs of a configuration
  // Of those, how many each node knows of.
  std::vector<std::unordered_map<std::uint64_t, std::uint64_t>> known_;
  std::optional<std::size_t> home_;
  std::optional<double> unit_ms_;  // what the default takes on the node that was ready first
  bool is_warm_ = false;
  double kernel_seconds_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

Expected<std::unique_ptr<Evaluator>> evaluate_on_nodes(Fleet& fleet, const Problem& problem,
                                                       const OnNodesOptions& options) {
  if (options.in_flight == 0) return bad_inputs("nothing is in flight; give 1 or more");
  VYRE_TRY(const Problem sent, on_host(problem));
  VYRE_TRY(Parcel parcel, pack(sent));
  JobHead& head = parcel.job.head;
  head.id = next_number();
  head.build_limit = options.workers.build_limit;
  head.run_limit = options.workers.run_limit;
  head.build_memory = options.workers.build_memory;
  head.memory_limit = options.workers.memory_limit;
  auto out = std::make_unique<Nodes>(fleet, problem, options, std::move(parcel));
  VYRE_TRY_VOID(out->begin());
  return out;
}

}  // namespace vyre::fleet
