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

Expected<Replay> Replay::make(recording::Recording recording) {
  VYRE_TRY(space::Space space, recording::to_space(recording));
  return Replay(std::make_shared<const recording::Recording>(std::move(recording)),
                std::move(space));
}

Replay::Replay(std::shared_ptr<const recording::Recording> recording, space::Space space)
    : recording_(std::move(recording)),
      space_(std::move(space)),
      next_run_(recording_->rows.size(), 0) {}

Expected<const recording::Row*> Replay::row(std::uint64_t index) const {
  if (index < recording_->rows.size()) return &recording_->rows[index];
  return bad_inputs("configuration {} is not in the recording, which has {}", index,
                    recording_->rows.size());
}

Expected<Status> Replay::prepare(std::uint64_t index) {
  VYRE_TRY(const recording::Row* r, row(index));
  clock_ms_ += r->compile_ms + r->framework_ms;
  // A configuration that fails at run time compiles all the same; only a run shows the failure.
  const bool compiles = r->status != Status::compile && r->status != Status::constraints;
  return compiles ? Status::ok : r->status;
}

Expected<Status> Replay::verify(std::uint64_t index) {
  VYRE_TRY(const recording::Row* r, row(index));
  clock_ms_ += r->validation_ms;
  return r->status == Status::correctness ? Status::correctness : Status::ok;
}

double Replay::next_run_ms(std::uint64_t index) {
  const recording::Row& r = recording_->rows[index];
  if (r.run_ms.empty()) return r.time_ms.value_or(0);
  const double time_ms = r.run_ms[next_run_[index]];
  next_run_[index] = (next_run_[index] + 1) % static_cast<std::uint32_t>(r.run_ms.size());
  return time_ms;
}

Expected<Result> Replay::sample(std::uint64_t index) {
  VYRE_TRY(const recording::Row* r, row(index));
  if (r->status != Status::ok) return Result{r->status, 0};
  const double time_ms = next_run_ms(index);
  clock_ms_ += time_ms;
  return Result{Status::ok, time_ms};
}

void Replay::recall_sample(std::uint64_t index) {
  if (row(index)) next_run_ms(index);
}

Expected<Result> Replay::evaluate(std::uint64_t index) {
  VYRE_TRY(const Status prepared, prepare(index));
  if (prepared != Status::ok) return Result{prepared, 0};
  VYRE_TRY(const recording::Row* r, row(index));
  if (r->status != Status::ok) return Result{r->status, 0};
  for (std::size_t k = 0; k < std::max<std::size_t>(1, r->run_ms.size()); ++k) {
    VYRE_TRY_VOID(sample(index));
  }
  return Result{Status::ok, *r->time_ms};
}

}  // namespace vyre
