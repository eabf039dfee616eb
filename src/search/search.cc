#include "vyre/substrate/search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "search/evolution.h"
#include "search/local.h"
#include "search/natural/natural.h"
#include "search/random.h"

namespace vyre {
namespace {

constexpr std::array kStrategies{
    StrategyKind{"natural",
                 "a model of the space, expected improvement per cost: fewest evaluations",
                 make_natural},
    StrategyKind{"evolution", "a population that crosses and mutates its best", make_evolution},
    StrategyKind{"local", "descent to a local optimum, again from where it got stuck", make_local},
    StrategyKind{"random", "every configuration equally likely, none twice", make_random},
    StrategyKind{"exhaustive", "all configurations in order", make_exhaustive, true},
};

Expected<void> check(const space::Space& space, const Hint& hint) {
  for (const Hint::Time& t : hint.times) {
    if (t.index >= space.size()) {
      return bad_inputs("a hint is about configuration {}; the space has {} configurations",
                        t.index, space.size());
    }
    if (!(t.time > 0) || !std::isfinite(t.time)) {
      return bad_inputs("a hint gives configuration {} the time {}; times are above 0", t.index,
                        t.time);
    }
  }
  return {};
}

}  // namespace

std::span<const StrategyKind> strategies() { return kStrategies; }

bool records_space(std::string_view strategy) {
  return std::ranges::any_of(kStrategies, [&](const StrategyKind& kind) {
    return kind.name == strategy && kind.records_space;
  });
}

Expected<std::unique_ptr<Strategy>> make_strategy(std::string_view name, const space::Space& space,
                                                  const StrategyOptions& options) {
  for (const std::uint64_t start : options.start) {
    if (start < space.size()) continue;
    return bad_inputs("start {} is not in the space, which has {} configurations", start,
                      space.size());
  }
  for (const Hint& hint : options.hints) {
    VYRE_TRY_VOID(check(space, hint));
  }
  std::vector<std::string> names;
  std::string list;
  for (const StrategyKind& kind : kStrategies) {
    if (kind.name == name) return kind.make(space, options);
    names.emplace_back(kind.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  return bad_inputs("there is no strategy {}; use one of: {}{}", quote(name), list,
                    did_you_mean(name, names));
}

Hint hint_of(const space::Space& space, const recording::Recording& sibling) {
  Hint out;
  Config config;
  for (const recording::Row& row : sibling.rows) {
    if (!row.time_ms) continue;
    for (std::size_t p = 0; p < sibling.parameters.size(); ++p) {
      config.set(sibling.parameters[p].name, sibling.parameters[p].values[row.point[p]]);
    }
    if (const auto index = space.find(config)) out.times.push_back({*index, *row.time_ms});
  }
  return out;
}

Expected<Answer> answer_of(Evaluator& evaluator, const Work& work) {
  VYRE_TRY_VOID(evaluator.start(work));
  VYRE_TRY(auto answer, evaluator.next());
  if (answer) return *std::move(answer);
  return backend_error("configuration {} was started and is not under way", work.index);
}

Expected<Replay> Replay::make(recording::Recording recording, std::size_t workers) {
  VYRE_TRY(space::Space space, recording::to_space(recording));
  return Replay(std::make_shared<const recording::Recording>(std::move(recording)),
                std::move(space), std::max<std::size_t>(workers, 1));
}

Replay::Replay(std::shared_ptr<const recording::Recording> recording, space::Space space,
               std::size_t workers)
    : recording_(std::move(recording)),
      space_(std::move(space)),
      workers_(workers),
      next_run_(recording_->rows.size(), 0) {}

Expected<const recording::Row*> Replay::row(std::uint64_t index) const {
  if (index < recording_->rows.size()) return &recording_->rows[index];
  return bad_inputs("configuration {} is not in the recording, which has {}", index,
                    recording_->rows.size());
}

double Replay::next_run_ms(std::uint64_t index) {
  const recording::Row& r = recording_->rows[index];
  if (r.run_ms.empty()) return r.time_ms.value_or(0);
  const double time_ms = r.run_ms[next_run_[index]];
  next_run_[index] = (next_run_[index] + 1) % static_cast<std::uint32_t>(r.run_ms.size());
  return time_ms;
}

Result Replay::result_of(const Work& work) {
  const recording::Row& r = recording_->rows[work.index];
  if (work.step != Step::admit) {
    if (r.status != Status::ok) return {.status = r.status};
    const double time_ms = next_run_ms(work.index);
    return {.time_ms = time_ms, .run_seconds = time_ms / 1000};
  }
  // A configuration that fails at run time compiles all the same.
  const bool is_compiled = r.status != Status::compile && r.status != Status::constraints;
  const double validation_ms = is_compiled ? r.validation_ms : 0;
  return {.status = r.status,
          .compile_seconds = (r.compile_ms + r.framework_ms + validation_ms) / 1000};
}

Expected<void> Replay::start(const Work& work) {
  VYRE_TRY_VOID(row(work.index));
  const Result result = result_of(work);
  const double takes_ms = 1000 * (result.compile_seconds + result.run_seconds);
  double begins_ms = clock_ms_;
  if (work.step != Step::admit) {
    begins_ms = std::max(begins_ms, device_free_ms_);
    device_free_ms_ = begins_ms + takes_ms;
  }
  under_way_.push_back({work, result, begins_ms + takes_ms});
  return {};
}

Expected<std::optional<Answer>> Replay::next(double until) {
  const auto first = std::ranges::min_element(under_way_, {}, &UnderWay::ends_ms);
  if (first == under_way_.end()) return std::nullopt;
  if (first->ends_ms > until * 1000) {
    clock_ms_ = std::max(clock_ms_, until * 1000);
    return std::nullopt;
  }
  clock_ms_ = std::max(clock_ms_, first->ends_ms);
  Answer answer{.work = first->work, .result = first->result, .seconds = now_seconds()};
  under_way_.erase(first);
  return answer;
}

void Replay::recall(const Answer& answer) {
  if (answer.work.step != Step::admit && row(answer.work.index)) next_run_ms(answer.work.index);
}

Expected<Result> Replay::evaluate(std::uint64_t index) {
  VYRE_TRY(const Answer admitted, answer_of(*this, {Step::admit, index}));
  if (admitted.result.status != Status::ok) return Result{.status = admitted.result.status};
  const recording::Row& r = recording_->rows[index];
  for (std::size_t k = 0; k < std::max<std::size_t>(1, r.run_ms.size()); ++k) {
    VYRE_TRY_VOID(answer_of(*this, {Step::sample, index}));
  }
  return Result{.time_ms = *r.time_ms};
}

}  // namespace vyre
