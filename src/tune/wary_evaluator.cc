#include "tune/wary_evaluator.h"

#include <fstream>
#include <utility>

namespace vyre {
namespace {

constexpr std::uint32_t kMostDeaths = 2;

}  // namespace

WaryEvaluator::WaryEvaluator(std::unique_ptr<Evaluator> inner, std::filesystem::path note,
                             std::uint64_t trusted)
    : inner_(std::move(inner)), note_(std::move(note)), trusted_(trusted) {
  if (note_.empty()) return;
  std::ifstream in(note_);
  if (in >> suspect_ >> deaths_) ++deaths_;
}

WaryEvaluator::~WaryEvaluator() {
  std::error_code ignored;
  if (!note_.empty()) std::filesystem::remove(note_, ignored);
}

Expected<void> WaryEvaluator::start(const Work& work) {
  if (work.step != Step::admit) return inner_->start(work);
  const std::uint32_t deaths = work.index == suspect_ ? deaths_ : 0;
  if (deaths >= kMostDeaths && work.index != trusted_) {
    refused_ = work;
    return {};
  }
  // A note that cannot be written protects nobody; that is no reason not to tune.
  if (!note_.empty()) std::ofstream(note_) << work.index << ' ' << deaths << '\n';
  return inner_->start(work);
}

Expected<std::optional<Answer>> WaryEvaluator::next(double until) {
  if (!refused_) return inner_->next(until);
  return Answer{.work = *std::exchange(refused_, std::nullopt),
                .result = {.status = Status::runtime},
                .why = "processes that tried it have died",
                .seconds = now_seconds()};
}

void WaryEvaluator::give_up() {
  refused_.reset();
  inner_->give_up();
}

}  // namespace vyre
