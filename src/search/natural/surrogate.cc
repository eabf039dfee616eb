#include "search/natural/surrogate.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

namespace vyre::natural {
namespace {

using Eigen::Index;
using Eigen::Lower;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kJitter = 1e-6;
constexpr double kAmplitudeShape = 2;  // of the inverse gamma: weak, mean 1
constexpr Index kRoom = 64;            // rows added at a time

MatrixXd covariance_of(const Covariance& covariance, const Observed& observed) {
  const auto n = static_cast<Index>(observed.size());
  MatrixXd out(n, n);
  Eigen::ArrayXf row(n);
  for (Index i = 0; i < n; ++i) {
    const Traits& x = observed.traits[static_cast<std::size_t>(i)];
    covariance.row(x, observed.columns, row.head(i + 1));
    out.row(i).head(i) = row.head(i).cast<double>();
    out(i, i) = covariance.variance(x) + covariance.noise() + kJitter;
  }
  return out;
}

}  // namespace

void Observed::add(Traits one) {
  columns.add(one);
  traits.push_back(std::move(one));
}

Prior::Prior(const Encoding& encoding, std::size_t siblings) {
  constexpr double kNoise = 0.003;  // of the variance of the targets
  constexpr double kReach = 0.7;    // of the siblings' weights together
  const auto add = [this](double centre, double spread) {
    mean.push_back(centre);
    deviation.push_back(spread);
  };
  for (const Group& g : encoding.groups()) {
    for (const Coordinate& c : g.coordinates) add(c.log_length, 1);
  }
  add(std::log(kNoise), 1);
  add(0, 1.5);  // additive share: anything, rather half
  if (!encoding.products().empty()) add(0, 1.5);
  for (std::size_t k = 0; k < siblings; ++k) {
    add(std::log(kReach / std::sqrt(static_cast<double>(siblings))), 1);
  }
}

double Prior::log_density(const Theta& theta) const {
  double sum = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double z = (theta[i] - mean[i]) / deviation[i];
    sum -= z * z / 2;
  }
  return sum;
}

double log_posterior(Covariance& covariance, const Prior& prior, const Theta& theta,
                     const Observed& observed, const VectorXd& targets) {
  covariance.set(theta);
  MatrixXd k = covariance_of(covariance, observed);
  const Eigen::LLT<Eigen::Ref<MatrixXd>> factor(k);
  if (factor.info() != Eigen::Success) return -std::numeric_limits<double>::infinity();
  const VectorXd whitened = k.triangularView<Lower>().solve(targets);
  const double shape = kAmplitudeShape + static_cast<double>(targets.size()) / 2;
  return -k.diagonal().array().log().sum() -
         shape * std::log(kAmplitudeShape + whitened.squaredNorm() / 2) + prior.log_density(theta);
}

void Surrogate::rebuild(const Theta& theta, const Observed& observed, const Columns& candidates) {
  covariance_.set(theta);
  rows_ = observed.traits;
  count_ = static_cast<Index>(observed.size());
  const auto width = static_cast<Index>(candidates.size());
  MatrixXd k = covariance_of(covariance_, observed);
  const Eigen::LLT<Eigen::Ref<MatrixXd>> factor(k);
  lower_.resize(count_ + kRoom, count_ + kRoom);
  lower_.topLeftCorner(count_, count_) = k.triangularView<Lower>();
  whitened_.resize(count_ + kRoom, width);
  Eigen::ArrayXf row(width);
  for (Index i = 0; i < count_; ++i) {
    covariance_.row(observed.traits[static_cast<std::size_t>(i)], candidates, row);
    whitened_.row(i) = row;
  }
  const RowMajor lower = lower_.topLeftCorner(count_, count_).cast<float>();
  lower.triangularView<Lower>().solveInPlace(whitened_.topRows(count_));
  variance_ = covariance_.variances(candidates) -
              whitened_.topRows(count_).array().square().colwise().sum().transpose();
}

void Surrogate::keep(std::size_t count) {
  for (; count_ > static_cast<Index>(count); --count_) {
    variance_ += whitened_.row(count_ - 1).array().square().transpose();
  }
  rows_.resize(static_cast<std::size_t>(count_));
}

void Surrogate::add(const Traits& x, const Columns& candidates) {
  if (lower_.rows() == count_) {
    lower_.conservativeResize(count_ + kRoom, count_ + kRoom);
    whitened_.conservativeResize(count_ + kRoom, whitened_.cols());
  }
  VectorXd k(count_);
  for (Index i = 0; i < count_; ++i) k[i] = covariance_(rows_[static_cast<std::size_t>(i)], x);
  const VectorXd l = lower_.topLeftCorner(count_, count_).triangularView<Lower>().solve(k);
  const double rest = covariance_.variance(x) + covariance_.noise() + kJitter - l.squaredNorm();
  const double diagonal = std::sqrt(std::max(1e-8, rest));
  lower_.row(count_).head(count_) = l;
  lower_(count_, count_) = diagonal;
  Eigen::ArrayXf row(whitened_.cols());
  covariance_.row(x, candidates, row);
  Eigen::RowVectorXf fresh = row.matrix().transpose();
  fresh.noalias() -= l.cast<float>().transpose() * whitened_.topRows(count_);
  fresh /= static_cast<float>(diagonal);
  whitened_.row(count_) = fresh;
  variance_ -= fresh.array().square().transpose();
  rows_.push_back(x);
  ++count_;
}

void Surrogate::predict(const VectorXd& targets) {
  const Index n = targets.size();
  const VectorXd whitened = lower_.topLeftCorner(n, n).triangularView<Lower>().solve(targets);
  amplitude_ = (kAmplitudeShape + whitened.squaredNorm() / 2) /
               (kAmplitudeShape + static_cast<double>(n) / 2);
  mean_ = (whitened.cast<float>().transpose() * whitened_.topRows(n)).transpose().array();
}

Eigen::ArrayXf Surrogate::deviation() const {
  return (variance_.max(1e-8F) * static_cast<float>(amplitude_)).sqrt();
}

}  // namespace vyre::natural
