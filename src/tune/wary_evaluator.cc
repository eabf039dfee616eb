#include "tune/wary_evaluator.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <sstream>
#include <utility>

#include "base/files/safe_file.h"
#include "base/files/whole_file.h"

namespace vyre {
namespace {

constexpr std::uint32_t kMostDeaths = 2;

}  // namespace

WaryEvaluator::WaryEvaluator(std::unique_ptr<Evaluator> inner, std::filesystem::path note,
                             std::uint64_t trusted)
    : inner_(std::move(inner)), note_(std::move(note)), trusted_(trusted) {
  if (note_.empty()) return;
  constexpr std::size_t kMostBytes = 64;
  std::istringstream in(read_file(note_, kMostBytes, Links::refuse).value_or(""));
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
  if (!note_.empty()) write_note(fmt::format("{} {}\n", work.index, deaths));
  return inner_->start(work);
}

// In place, and not synced: only a death of this process matters, and its writes survive that.
void WaryEvaluator::write_note(const std::string& text) const {
  const auto file = open_own(note_, O_WRONLY);
  if (file && ::ftruncate(file->get(), 0) == 0) (void)write_all(file->get(), text);
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
