// Candidates: the configurations looked at until the next refit. Of a small space these are all, of
// a larger one a bounded number: the most promising of the last set, the neighbours of the best
// measured, the siblings' best, and fresh ones.
//
// Also the chance of each candidate to run at all: the share of successes around it, weighted by
// nearness, with a prior under which a candidate far from every failure counts as good.

#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "search/known.h"
#include "search/natural/features.h"
#include "search/natural/surrogate.h"

namespace vyre::natural {

// Configurations of a space in an order without end: a listable space comes up in turn, each
// configuration once per round; a larger one is sampled.
class EndlessDraw {
 public:
  EndlessDraw(const space::Space& space, std::mt19937_64& generator);
  std::vector<std::uint64_t> next(std::size_t count);

 private:
  const space::Space& space_;
  std::mt19937_64& generator_;
  std::vector<std::uint64_t> order_;
  std::size_t cursor_ = 0;
};

class Candidates {
 public:
  explicit Candidates(const Features& features) : features_(features) {}

  // `best`: the fastest measured so far. Empty afterwards only if nothing of the space is left.
  void refresh(Known& known, EndlessDraw& draw, std::span<const std::uint64_t> best);

  std::size_t size() const { return indices_.size(); }
  std::uint64_t index(std::size_t i) const { return indices_[i]; }
  const Columns& columns() const { return columns_; }
  // The logarithm of what each is expected to cost.
  Eigen::ArrayXf log_seconds(const Costs& costs) const;

  // Proposed or measured since the last refresh.
  void spend(std::uint64_t index);
  void give_back(std::uint64_t index);
  bool is_spent(std::size_t i) const { return spent_[i] != 0; }
  bool all_spent() const { return left_ == 0; }

  // The last scores; the next refresh keeps the candidates with the best ones.
  void set_scores(Eigen::ArrayXf scores) { scores_ = std::move(scores); }
  const Eigen::ArrayXf& scores() const { return scores_; }
  // The best `most` that are not spent and that `fits` takes, best first.
  std::vector<std::size_t> shortlist(std::size_t most,
                                     const std::function<bool(std::uint64_t index)>& fits) const;

  // In (0, 1] for each; `times` has nothing where an observation failed.
  Eigen::ArrayXf chance_to_run(const Observed& observed,
                               std::span<const std::optional<double>> times);

 private:
  void mark(std::uint64_t index, bool spent);
  void weigh(std::span<const Code> code, bool ran);

  const Features& features_;
  std::vector<std::uint64_t> indices_;
  std::vector<space::Point> points_;
  Columns columns_;
  Eigen::ArrayXf scores_;
  std::vector<char> spent_;
  std::size_t left_ = 0;
  Eigen::ArrayXf ran_;       // weighted successes, and
  Eigen::ArrayXf weight_;    // all weights, of
  std::size_t weighed_ = 0;  // so many observations
};

}  // namespace vyre::natural
