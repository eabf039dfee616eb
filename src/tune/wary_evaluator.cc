#include "tune/wary_evaluator.h"

#include <fstream>

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

Expected<Status> WaryEvaluator::prepare(std::uint64_t index) {
  const std::uint32_t deaths = index == suspect_ ? deaths_ : 0;
  if (deaths >= kMostDeaths && index != trusted_) return Status::runtime;
  // A note that cannot be written protects nobody; that is no reason not to tune.
  if (!note_.empty()) std::ofstream(note_) << index << ' ' << deaths << '\n';
  return inner_->prepare(index);
}

}  // namespace vyre
