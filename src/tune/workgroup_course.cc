#include "tune/workgroup_course.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/statistics.h"
#include "tune/cost.h"
#include "tune/history.h"
#include "vyre/call.h"
#include "vyre/substrate/workgroup.h"

namespace vyre {
namespace {

constexpr int kRunsOfBestOf = 3;           // of each size, of which the median counts
constexpr double kShareOfPolicy = 0.7;     // of the seconds that are left; the race has the rest
constexpr std::uint32_t kMostPerSize = 8;  // measurements
constexpr std::uint32_t kLeastPerSize = 2;

}  // namespace

// Measures for the policies. Sizes that do not run are not among their candidates.
class WorkgroupCourse::Timer final : public BackendTimer {
 public:
  Timer(WorkgroupCourse& course, int runs) : course_(course), runs_(runs) {}

  Expected<std::uint64_t> measure_candidate_ns(const ir::Sequence&, const Extent& size) override {
    Size& measured = course_.size_of(size);
    std::vector<double> samples;
    for (int k = 0; k < runs_; ++k) {
      VYRE_TRY(const double ns, course_.run(measured));
      samples.push_back(ns);
    }
    return static_cast<std::uint64_t>(std::llround(median(samples)));
  }

 private:
  WorkgroupCourse& course_;
  int runs_;
};

WorkgroupCourse::WorkgroupCourse(const SearchTask& task, Evaluator& evaluator,
                                 const CampaignOptions& options, const std::vector<Failure>& known)
    : task_(task),
      evaluator_(evaluator),
      options_(options),
      race_(race_of(options.race, options.strategy, evaluator.is_warm())),
      kernel_start_(evaluator.kernel_seconds()) {
  report_.stopped = StopReason::exhausted;
  for (std::uint64_t index = 0; index < task.space.size(); ++index) {
    const bool has_failed = index != task.default_index &&
                            std::ranges::find(known, index, &Failure::index) != known.end();
    if (has_failed) continue;
    const auto extent = workgroup_of(task.space.config_at(index)).value_or(Extent{1, 1, 1});
    const bool is_default = index == task.default_index;
    if (is_default) {
      untried_.push_front(sizes_.size());
    } else {
      untried_.push_back(sizes_.size());
    }
    sizes_.push_back({.index = index, .extent = extent});
  }
}

Expected<bool> WorkgroupCourse::step() {
  if (!untried_.empty()) {
    if (report_.evaluations > 0 && is_asked_to_stop()) {
      report_.stopped = StopReason::asked;
      untried_.clear();
      return false;
    }
    if (!is_budget_spent()) return admit();
    untried_.clear();
    report_.stopped = StopReason::budget;
  }
  if (report_.stopped == StopReason::asked) return false;
  if (!has_chosen_) {
    const auto chosen = choose();
    // A policy takes any error for a failure of the size that it measures.
    if (evaluator_error_) return std::unexpected(*evaluator_error_);
    VYRE_TRY_VOID(chosen);
    return true;
  }
  return race();
}

// The sizes that were not tried are left out; the policy chooses among the others.
bool WorkgroupCourse::is_budget_spent() const {
  const Budget& budget = options_.budget;
  if (report_.evaluations == 0) return false;
  if (budget.evaluations > 0 && report_.evaluations >= budget.evaluations) return true;
  return budget.seconds > 0 && evaluator_.now_seconds() >= budget.seconds * kShareOfPolicy;
}

bool WorkgroupCourse::is_asked_to_stop() {
  if (!options_.on_progress) return false;
  return !options_.on_progress({.evaluations = report_.evaluations,
                                .failures = report_.failures.size(),
                                .seconds = evaluator_.now_seconds(),
                                .best = task_.default_index});
}

Expected<bool> WorkgroupCourse::admit() {
  Size& size = sizes_[untried_.front()];
  untried_.pop_front();
  ++report_.evaluations;
  VYRE_TRY(const Answer answer, answer_of(evaluator_, {Step::admit, size.index}));
  add_cost(report_.costs[size.index], answer);
  if (answer.result.status != Status::ok) VYRE_TRY_VOID(fail(size, answer));
  size.is_ready = true;
  return true;
}

Expected<void> WorkgroupCourse::fail(Size& size, const Answer& answer) {
  size.has_failed = true;
  report_.failures.push_back({size.index, answer.result.status, answer.why});
  if (options_.on_tried) options_.on_tried({size.index, answer.result, answer.why});
  if (size.index != task_.default_index) return {};
  return default_failed(task_, answer);
}

Expected<double> WorkgroupCourse::run(Size& size, Step step) {
  const auto answer = answer_of(evaluator_, {step, size.index});
  if (!answer) {
    evaluator_error_ = answer.error();
    return std::unexpected(answer.error());
  }
  add_cost(report_.costs[size.index], *answer);
  if (answer->result.status != Status::ok) {
    VYRE_TRY_VOID(fail(size, *answer));
    return rejected("a run failed");
  }
  report_.is_timed_by_host |= answer->result.is_host_time;
  const double ns = answer->result.time_ms * 1e6;
  if (step != Step::pair) size.samples_ns.push_back(ns);
  return ns;
}

std::vector<Extent> WorkgroupCourse::candidates() const {
  std::vector<Extent> out;
  for (const Size& size : sizes_) {
    if (size.is_ready && !size.has_failed) out.push_back(size.extent);
  }
  return out;
}

WorkgroupCourse::Size& WorkgroupCourse::size_of(const Extent& extent) {
  return *std::ranges::find(sizes_, extent, &Size::extent);
}

// natural_search counts measurements, a budget counts seconds.
std::uint32_t WorkgroupCourse::measurements_within_budget(std::size_t candidates,
                                                          double run_ns) const {
  const auto count = static_cast<std::uint32_t>(candidates);
  const double seconds = options_.budget.seconds;
  if (!(seconds > 0) || !(run_ns > 0)) return kMostPerSize * count;
  const double left = std::max(0.0, seconds - evaluator_.now_seconds()) * kShareOfPolicy;
  const double runs = std::min(left * 1e9 / run_ns, double{kMostPerSize} * count);
  return std::max(static_cast<std::uint32_t>(runs), kLeastPerSize * count);
}

// The sequence is not asked for by our timer: it knows its candidates by their sizes.
Expected<void> WorkgroupCourse::choose() {
  has_chosen_ = true;
  const auto sizes = candidates();
  const ir::Sequence& sequence = options_.workgroup->sequence;
  std::uint64_t chosen = task_.default_index;
  if (options_.workgroup->mode == Mode::on) {
    Timer timer(*this, kRunsOfBestOf);
    VYRE_TRY(const Sweep sweep, best_of(timer, sequence, sizes));
    if (sweep.best) chosen = size_of(sweep.best->workgroup_size).index;
  } else {
    Timer timer(*this, 1);
    VYRE_TRY(const double run_ns,
             run(*std::ranges::find(sizes_, task_.default_index, &Size::index)));
    // The policy's mathematics is too small to be worth the device's compiler.
    const auto dispatcher = make_dispatcher(open_reference({.threads = 1}));
    VYRE_TRY(const NaturalSearch search,
             natural_search(*dispatcher, timer, sequence, sizes,
                            {.budget = measurements_within_budget(sizes.size(), run_ns)}));
    chosen = size_of(sizes[search.best]).index;
    if (search.runner_up != search.best) runner_up_ = size_of(sizes[search.runner_up]).index;
  }
  for (const Size& size : sizes_) {
    if (options_.on_tried && !size.has_failed && !size.samples_ns.empty()) {
      options_.on_tried({size.index, {.time_ms = estimate(size.samples_ns).ns / 1e6}});
    }
    if (size.index != chosen && size.index != task_.default_index) continue;
    race_.add(candidate_of(task_, size.index));
    for (const double ns : size.samples_ns) race_.tell(size.index, ns);
  }
  return {};
}

Expected<bool> WorkgroupCourse::race() {
  const double limit = options_.budget.seconds;
  if (waiting_.empty()) {
    const bool is_late = limit > 0 && evaluator_.now_seconds() >= limit;
    const auto round =
        is_late && race_.outcome() ? std::vector<std::uint64_t>() : race_.next_round();
    waiting_.assign(round.begin(), round.end());
  }
  if (waiting_.empty()) return pair();
  const std::uint64_t id = waiting_.front();
  waiting_.pop_front();
  Size& size = *std::ranges::find(sizes_, id, &Size::index);
  const auto ns = run(size, Step::race);
  if (ns) {
    race_.tell(id, *ns);
  } else if (size.has_failed && id != task_.default_index) {
    race_.fail(id);
  } else {
    return std::unexpected(ns.error());
  }
  return true;
}

// Winner and default side by side, as in any other campaign.
Expected<bool> WorkgroupCourse::pair() {
  const auto outcome = race_.outcome();
  if (!outcome) return false;
  const auto rivals = rivals_of(task_, race_, options_.rival, *outcome);
  if (rivals.size() == 1) return false;
  if (!pairs_.has_rivals(rivals)) pairs_.choose(rivals);
  if (pairs_.is_enough(options_.budget.seconds, evaluator_.now_seconds())) return false;
  Size& size = *std::ranges::find(sizes_, pairs_.next(), &Size::index);
  const auto ns = run(size, Step::pair);
  if (ns) {
    pairs_.tell(*ns);
  } else if (size.has_failed && size.index != task_.default_index) {
    race_.fail(size.index);
    pairs_.choose({});
  } else {
    return std::unexpected(ns.error());
  }
  return true;
}

Expected<CampaignReport> WorkgroupCourse::report() {
  if (report_.stopped == StopReason::asked) {  // nothing is decided, and all is in the journal
    report_.best = task_.default_index;
    return std::move(report_);
  }
  VYRE_TRY_VOID(conclude(task_, race_, report_));
  conclude_pairs(task_, pairs_, evaluator_.is_disturbed_by_caller(), report_);
  for (const Size& size : sizes_) {
    if (race_.find(size.index) != nullptr || size.samples_ns.empty()) continue;
    report_.standings.push_back({.candidate = candidate_of(task_, size.index),
                                 .fate = size.has_failed ? Fate::failed : Fate::dropped,
                                 .elapsed = estimate(size.samples_ns),
                                 .samples_ns = size.samples_ns});
  }
  if (runner_up_ && *runner_up_ != report_.best) report_.outcome.runner_up = runner_up_;
  report_.seconds = evaluator_.now_seconds();
  report_.kernel_seconds = evaluator_.kernel_seconds() - kernel_start_;
  return std::move(report_);
}

}  // namespace vyre
