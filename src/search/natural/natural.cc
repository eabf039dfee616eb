#include "search/natural/natural.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "search/natural/candidates.h"
#include "search/natural/design.h"
#include "search/natural/ensemble.h"
#include "search/natural/targets.h"

namespace vyre {
namespace natural {
namespace {

using Eigen::ArrayXf;
using Eigen::Index;

// Until then every ask refits the hyperparameters, later every kRefitEvery-th and each behind a new
// best.
constexpr std::size_t kRefitAlways = 20;
constexpr std::size_t kRefitEvery = 10;
constexpr std::size_t kBestWithNeighbours = 3;
// In a small space, every kExploreEvery-th of the first kExploring evaluations goes where the
// models know least, and so does each that promises a gain of less than kIdle. On a CPU the fastest
// configurations may need three right values at once, each of which is slow by itself; improvement
// alone then does not look there. In a large space a handful of such probes covers nothing, and
// costs more than it brings (docs/search.md).
constexpr std::size_t kExploreEvery = 5;
constexpr std::size_t kExploring = 25;
constexpr double kIdle = 0.003;
constexpr std::uint64_t kSmall = 2048;
// The power of the expected cost by which a candidate's worth is divided: the softer half, because
// what a slow compilation finds counts for all later runs, and costs are known roughly.
constexpr float kThrift = 0.5F;

// E max(0, best - t) for normal t.
ArrayXf expected_improvement(const ArrayXf& mean, const ArrayXf& deviation, double best) {
  const ArrayXf z = (static_cast<float>(best) - mean) / deviation;
  const ArrayXf density = 0.39894228F * (-0.5F * z.square()).exp();
  // The normal distribution function by Zelen and Severo's polynomial: 7.5e-8 off at most, and it
  // vectorises.
  const ArrayXf q = 1 / (1 + 0.2316419F * z.abs());
  const ArrayXf tail =
      density * q *
      (0.31938153F +
       q * (-0.356563782F + q * (1.781477937F + q * (-1.821255978F + q * 1.330274429F))));
  const ArrayXf below = (z > 0).select(1 - tail, tail);
  return (deviation * (z * below + density)).max(1e-30F);
}

class Natural final : public Strategy {
 public:
  Natural(const space::Space& space, const StrategyOptions& options)
      : known_(space, {.seed = options.seed, .start = {}}),
        features_(known_.space(), options.hints),
        draw_(known_.space(), known_.generator()),
        ensemble_(features_.encoding(), features_.siblings()),
        candidates_(features_),
        models_(Ensemble::kMostMembers, Surrogate(features_.encoding(), features_.siblings())) {
    start_ = is_modelled() ? starting_points(known_.space(), features_, options.start, draw_)
                           : options.start;
  }

  std::vector<std::uint64_t> ask(std::size_t most, double seconds) override {
    known_.set_limit(seconds);
    expected_gain_.reset();
    std::vector<std::uint64_t> out;
    for (const std::uint64_t index : start_) {
      if (out.size() < most && known_.take(index)) out.push_back(index);
    }
    under_way_.insert(under_way_.end(), out.begin(), out.end());
    if (out.size() < most && successes_ > 0 && is_modelled()) ask_models(most, out);
    while (out.size() < most) {  // nothing has run yet, or a batch larger than all candidates
      const auto next = known_.take_random();
      if (!next) break;
      out.push_back(*next);
      under_way_.push_back(*next);
    }
    return out;
  }

  void tell(std::uint64_t index, const Result& result) override {
    if (!known_.tell(index, result)) return;
    std::erase(under_way_, index);
    const bool ok = result.status == Status::ok && result.time_ms > 0;
    successes_ += ok ? 1 : 0;
    if (ok && result.time_ms < best_ms_) {
      best_ms_ = result.time_ms;
      has_new_best_ = true;
    }
    observed_.add(features_.of(index));
    times_.push_back(ok ? std::optional(result.time_ms) : std::nullopt);
    indices_.push_back(index);
    candidates_.spend(index);
  }

  void withdraw(std::uint64_t index) override {
    if (!known_.withdraw(index)) return;
    std::erase(under_way_, index);
    candidates_.give_back(index);
  }

  std::optional<double> expected_gain() const override { return expected_gain_; }

  std::optional<double> expected_seconds(std::uint64_t index) const override {
    return known_.costs().seconds(index);
  }

 private:
  // False: a space of one configuration.
  bool is_modelled() const { return !features_.encoding().groups().empty(); }

  void ask_models(std::size_t most, std::vector<std::uint64_t>& out) {
    const Targets targets = make_targets(times_);
    TargetsByView unexpected;
    for (const View view : {View::divisibility, View::plain}) {
      unexpected[static_cast<std::size_t>(view)] =
          targets.values - observed_.columns.expected(view).matrix().cast<double>();
    }
    const std::size_t members = Ensemble::members(times_.size());
    if (is_refit_due()) refit(unexpected, members);
    while (out.size() < most && !candidates_.all_spent()) {
      bring_up_to_date(unexpected, members);
      const auto index = pick(targets, members);
      if (!index) break;
      known_.take(*index);
      candidates_.spend(*index);
      under_way_.push_back(*index);
      out.push_back(*index);
    }
  }

  // The models' rows are what was told, then what is under way. Rows that are in place stay: with
  // several under way, the next one told usually is the first of those.
  void bring_up_to_date(const TargetsByView& targets, std::size_t members) {
    std::vector<std::uint64_t> wanted = indices_;
    wanted.insert(wanted.end(), under_way_.begin(), under_way_.end());
    const auto kept =
        static_cast<std::size_t>(std::ranges::mismatch(rows_, wanted).in1 - rows_.begin());
    std::vector<Traits> fresh;
    for (std::size_t i = kept; i < wanted.size(); ++i) {
      fresh.push_back(i < indices_.size() ? observed_.traits[i] : features_.of(wanted[i]));
    }
    for (std::size_t k = 0; k < members; ++k) {
      models_[k].keep(kept);
      for (const Traits& traits : fresh) models_[k].add(traits, candidates_.columns());
      models_[k].predict(targets[static_cast<std::size_t>(Ensemble::view(k))]);
    }
    rows_ = std::move(wanted);
  }

  bool is_refit_due() const {
    const std::size_t n = times_.size();
    // The neighbours of a new best are to be looked at next.
    return has_new_best_ || candidates_.all_spent() || (n <= kRefitAlways && n > last_refit_) ||
           n >= last_refit_ + kRefitEvery;
  }

  void refit(const TargetsByView& targets, std::size_t members) {
    ensemble_.refit(observed_, targets, known_.generator());
    candidates_.refresh(known_, draw_, best_measured());
    last_refit_ = times_.size();
    has_new_best_ = false;
    if (candidates_.size() == 0) return;
    for (std::size_t k = 0; k < members; ++k) {
      models_[k].rebuild(ensemble_[k], observed_, candidates_.columns());
    }
    rows_ = indices_;
  }

  std::vector<std::uint64_t> best_measured() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < times_.size(); ++i) {
      if (times_[i]) order.push_back(i);
    }
    std::ranges::sort(order, {}, [this](std::size_t i) { return std::pair(*times_[i], i); });
    std::vector<std::uint64_t> out;
    for (std::size_t i = 0; i < std::min(order.size(), kBestWithNeighbours); ++i) {
      out.push_back(indices_[order[i]]);
    }
    return out;
  }

  // The worth of a candidate: the improvement that it promises, or what it would teach, times its
  // chance to run at all, by its expected cost.
  std::optional<std::uint64_t> pick(const Targets& targets, std::size_t members) {
    const ArrayXf chance = candidates_.chance_to_run(observed_, times_);
    const ArrayXf promised = promised_improvement(targets, members) * chance;
    const auto gain_of = [&](float improvement) {
      return 1 - std::exp(-improvement * targets.unit);
    };
    const bool explores = is_small() && (is_exploring() || gain_of(promised.maxCoeff()) < kIdle);
    ArrayXf worth = explores ? ArrayXf(uncertainty(members) * chance) : promised;
    if (known_.costs().are_known()) {
      worth *= (-kThrift * candidates_.log_seconds(known_.costs())).exp();
    }
    candidates_.set_scores(worth);
    const auto best =
        candidates_.shortlist(1, [this](std::uint64_t index) { return known_.fits(index); });
    if (best.empty()) return std::nullopt;
    expected_gain_ = gain_of(promised[static_cast<Index>(best[0])]);
    return candidates_.index(best[0]);
  }

  bool is_small() const { return known_.space().size() <= kSmall; }

  bool is_exploring() const {
    const std::size_t asked = times_.size() + under_way_.size();
    return asked < kExploring && asked % kExploreEvery == kExploreEvery - 1;
  }

  ArrayXf uncertainty(std::size_t members) const {
    ArrayXf out = ArrayXf::Zero(static_cast<Index>(candidates_.size()));
    for (std::size_t k = 0; k < members; ++k) out += models_[k].deviation();
    return out;
  }

  ArrayXf promised_improvement(const Targets& targets, std::size_t members) const {
    const Columns& columns = candidates_.columns();
    const std::array expected{columns.expected(View::divisibility), columns.expected(View::plain)};
    ArrayXf out = ArrayXf::Zero(static_cast<Index>(columns.size()));
    for (std::size_t k = 0; k < members; ++k) {
      const ArrayXf mean =
          models_[k].mean() + expected[static_cast<std::size_t>(Ensemble::view(k))];
      out += static_cast<float>(ensemble_.weight(k, members)) *
             expected_improvement(mean, models_[k].deviation(), targets.best);
    }
    return out;
  }

  Known known_;
  Features features_;
  EndlessDraw draw_;
  Ensemble ensemble_;
  Candidates candidates_;
  std::vector<Surrogate> models_;
  std::optional<double> expected_gain_;
  std::vector<std::uint64_t> start_;
  std::vector<std::uint64_t> under_way_;  // in the order asked
  std::vector<std::uint64_t> rows_;       // of the models
  // The results told so far, in order.
  Observed observed_;
  std::vector<std::optional<double>> times_;
  std::vector<std::uint64_t> indices_;
  std::size_t successes_ = 0;
  std::size_t last_refit_ = 0;
  double best_ms_ = std::numeric_limits<double>::infinity();
  bool has_new_best_ = false;  // since the last refit
};

}  // namespace
}  // namespace natural

std::unique_ptr<Strategy> make_natural(const space::Space& space, const StrategyOptions& options) {
  return std::make_unique<natural::Natural>(space, options);
}

}  // namespace vyre
