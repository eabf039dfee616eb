#include "report/effects.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <tuple>

namespace vyre::report {
namespace {

constexpr std::size_t kMostRows = 20'000;
constexpr std::size_t kFewestRows = 1000;
// Values that are fitted to, rows times parameters, and how many of them all sweeps of a fit see.
constexpr std::size_t kMostCells = 4'000'000;
constexpr std::size_t kMostSeen = 40'000'000;
constexpr std::size_t kSweeps = 60;
constexpr std::size_t kFewestSweeps = 8;
// As if each value had been measured so many times more, at the mean.
constexpr double kDoubt = 0.5;
constexpr double kPairDoubt = 1;

struct Measurements {
  std::vector<const space::Point*> points;
  std::vector<double> logs;  // of the times, less their mean
};

bool is_measured(const Entrant& entrant) {
  return entrant.elapsed.ns > 0 && !entrant.point.empty() && entrant.status == Status::ok;
}

// If there are too many, a random sample of them, the same each time: every tenth one, say, would
// leave out values that change with the row.
Measurements measurements_of(const Chapter& chapter) {
  auto left = static_cast<std::size_t>(std::ranges::count_if(chapter.entrants, is_measured));
  const std::size_t parameters = std::max<std::size_t>(chapter.parameters.size(), 1);
  const std::size_t most = std::clamp(kMostCells / parameters, kFewestRows, kMostRows);
  std::size_t wanted = std::min(left, most);
  std::mt19937_64 generator(1);
  Measurements out;
  for (const Entrant& entrant : chapter.entrants) {
    if (!is_measured(entrant) || generator() % left-- >= wanted) continue;
    --wanted;
    out.points.push_back(&entrant.point);
    out.logs.push_back(std::log(entrant.elapsed.ns));
  }
  if (out.logs.empty()) return out;
  const double mean =
      std::reduce(out.logs.begin(), out.logs.end(), 0.0) / static_cast<double>(out.logs.size());
  for (double& log : out.logs) log -= mean;
  return out;
}

double square_sum(const std::vector<double>& numbers) {
  return std::transform_reduce(numbers.begin(), numbers.end(), 0.0, std::plus{},
                               [](double x) { return x * x; });
}

// Fits one parameter to what the others leave, and takes its new share out of `left`.
void fit_one(const Measurements& rows, std::size_t p, std::vector<ValueEffect>& values,
             std::vector<double>& left) {
  std::vector<double> sums(values.size(), 0);
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::uint32_t value = (*rows.points[i])[p];
    sums[value] += left[i] + values[value].log_times;
  }
  std::vector<double> change(values.size(), 0);
  for (std::size_t v = 0; v < values.size(); ++v) {
    const double fitted = sums[v] / (static_cast<double>(values[v].count) + kDoubt);
    change[v] = fitted - values[v].log_times;
    values[v].log_times = fitted;
  }
  for (std::size_t i = 0; i < left.size(); ++i) left[i] -= change[(*rows.points[i])[p]];
}

// Backfitting: each parameter in turn, until they agree. It converges to the ridge regression's
// minimum, and needs neither a matrix nor its inverse.
std::vector<double> fit(const Measurements& rows, std::vector<ParameterEffect>& parameters) {
  std::vector<double> left = rows.logs;
  const std::size_t cells = std::max<std::size_t>(rows.logs.size() * parameters.size(), 1);
  const std::size_t sweeps = std::clamp<std::size_t>(kMostSeen / cells, kFewestSweeps, kSweeps);
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
    const double before = square_sum(left);
    for (ParameterEffect& effect : parameters) {
      if (effect.values.size() > 1) fit_one(rows, effect.parameter, effect.values, left);
    }
    if (before - square_sum(left) <= 1e-9 * before) break;
  }
  return left;
}

// With the failures of each value.
std::vector<ParameterEffect> unfitted(const Chapter& chapter) {
  std::vector<ParameterEffect> out;
  for (std::size_t p = 0; p < chapter.parameters.size(); ++p) {
    ParameterEffect effect{.parameter = p};
    effect.values.resize(chapter.parameters[p].values.size());
    for (const Entrant& entrant : chapter.entrants) {
      const bool counts = entrant.ending == Ending::failed && !entrant.point.empty();
      if (counts) ++effect.values[entrant.point[p]].failed;
    }
    out.push_back(std::move(effect));
  }
  return out;
}

void conclude(const Measurements& rows, ParameterEffect& effect) {
  double sum = 0;
  bool is_first = true;
  for (std::size_t v = 0; v < effect.values.size(); ++v) {
    const ValueEffect& value = effect.values[v];
    if (value.count == 0) continue;
    sum += static_cast<double>(value.count) * value.log_times * value.log_times;
    if (is_first || value.log_times < effect.values[effect.best].log_times) effect.best = v;
    if (is_first || value.log_times > effect.values[effect.worst].log_times) effect.worst = v;
    is_first = false;
  }
  const double all = square_sum(rows.logs);
  if (is_first || all <= 0) return;
  effect.share = std::min(1.0, sum / all);
  effect.times =
      std::exp(effect.values[effect.worst].log_times - effect.values[effect.best].log_times);
}

double model_of(const std::vector<ParameterEffect>& parameters, const space::Point& point) {
  double sum = 0;
  for (const ParameterEffect& e : parameters) sum += e.values[point[e.parameter]].log_times;
  return sum;
}

void count(const Measurements& rows, std::vector<ParameterEffect>& parameters) {
  for (ParameterEffect& effect : parameters) {
    for (ValueEffect& value : effect.values) value = {.failed = value.failed};
    for (const space::Point* point : rows.points) ++effect.values[(*point)[effect.parameter]].count;
  }
}

double predicted_share(const Measurements& rows, std::vector<ParameterEffect> parameters) {
  constexpr std::size_t kFolds = 5;
  double errors = 0;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    Measurements others;
    for (std::size_t i = 0; i < rows.logs.size(); ++i) {
      if (i % kFolds == fold) continue;
      others.points.push_back(rows.points[i]);
      others.logs.push_back(rows.logs[i]);
    }
    count(others, parameters);
    fit(others, parameters);
    for (std::size_t i = fold; i < rows.logs.size(); i += kFolds) {
      const double error = rows.logs[i] - model_of(parameters, *rows.points[i]);
      errors += error * error;
    }
  }
  return std::clamp(1 - errors / square_sum(rows.logs), 0.0, 1.0);
}

// The share of the squares in `left` that the means of the other configurations in the same cell
// predict.
double predicted_by(const Chapter& chapter, const Measurements& rows,
                    const std::vector<double>& left, std::size_t p, std::size_t q) {
  const std::size_t columns = chapter.parameters[q].values.size();
  struct Sum {
    double sum = 0;
    double count = 0;
  };
  std::vector<Sum> cells(chapter.parameters[p].values.size() * columns);
  const auto cell_of = [&](std::size_t i) -> Sum& {
    return cells[(*rows.points[i])[p] * columns + (*rows.points[i])[q]];
  };
  for (std::size_t i = 0; i < left.size(); ++i) {
    cell_of(i).sum += left[i];
    ++cell_of(i).count;
  }
  double errors = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Sum& cell = cell_of(i);
    const double predicted = (cell.sum - left[i]) / (cell.count - 1 + kPairDoubt);
    errors += (left[i] - predicted) * (left[i] - predicted);
  }
  const double all = square_sum(left);
  return all > 0 ? 1 - errors / all : 0;
}

// Parameters whose pairs are looked at: the first of `effects`, in their own order.
std::vector<std::size_t> paired(const std::vector<ParameterEffect>& effects) {
  std::vector<std::size_t> out;
  for (const ParameterEffect& effect : effects) {
    if (effect.values.size() > 1 && out.size() < kMostPaired) out.push_back(effect.parameter);
  }
  std::ranges::sort(out);
  return out;
}

std::vector<PairEffect> pairs_of(const Chapter& chapter, const Measurements& rows,
                                 const std::vector<double>& left,
                                 const std::vector<std::size_t>& among) {
  constexpr std::size_t kMostPairCells = 1U << 16U;  // more than rows: each would stand alone
  std::vector<PairEffect> out;
  for (std::size_t i = 0; i < among.size(); ++i) {
    for (std::size_t k = i + 1; k < among.size(); ++k) {
      const std::size_t p = among[i];
      const std::size_t q = among[k];
      if (chapter.parameters[p].values.size() >
          kMostPairCells / chapter.parameters[q].values.size())
        continue;
      const double share = predicted_by(chapter, rows, left, p, q);
      if (share > 0.005) out.push_back({p, q, share});
    }
  }
  std::ranges::sort(out, {}, [](const PairEffect& pair) {
    return std::tuple(-pair.share, pair.first, pair.second);
  });
  return out;
}

}  // namespace

Effects effects_of(const Chapter& chapter) {
  const Measurements rows = measurements_of(chapter);
  Effects out{.configurations = rows.logs.size(), .parameters = unfitted(chapter)};
  count(rows, out.parameters);
  const double all = square_sum(rows.logs);
  // Times that are equal to the last digits have nothing to explain.
  std::vector<double> left;
  if (all > 1e-12) {
    left = fit(rows, out.parameters);
    out.predicted = predicted_share(rows, out.parameters);
    for (ParameterEffect& effect : out.parameters) conclude(rows, effect);
  }
  std::ranges::sort(out.parameters, {}, [](const ParameterEffect& effect) {
    return std::pair(-effect.share, effect.parameter);
  });
  // Rounding errors are nothing that a pair could explain.
  if (square_sum(left) > 1e-9 * all) {
    out.pairs = pairs_of(chapter, rows, left, paired(out.parameters));
  }
  return out;
}

}  // namespace vyre::report
