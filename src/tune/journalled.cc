#include "tune/journalled.h"

#include <algorithm>

#include "base/error.h"

namespace vyre {

Journalled::Journalled(Evaluator& inner, Journal& journal)
    : inner_(inner), journal_(journal), inner_start_(inner.now_seconds()) {
  while (is_replaying() && journal_.answers()[next_].question == Question::known) ++next_;
}

bool Journalled::is_replaying() const { return next_ < journal_.answers().size(); }

// Configurations that the journal answers for need no compiling.
void Journalled::announce(std::span<const std::uint64_t> indices) {
  std::vector<std::uint64_t> unknown;
  for (const std::uint64_t index : indices) {
    const bool is_known = std::ranges::any_of(
        journal_.answers().begin() + static_cast<std::ptrdiff_t>(next_), journal_.answers().end(),
        [&](const Answer& answer) { return answer.index == index; });
    if (!is_known) unknown.push_back(index);
  }
  if (!unknown.empty()) inner_.announce(unknown);
}

double Journalled::now_seconds() const {
  if (is_replaying()) return replayed_seconds_;
  return replayed_seconds_ + inner_.now_seconds() - inner_start_;
}

Expected<Result> Journalled::ask(Question question, std::uint64_t index) {
  if (is_replaying()) {
    const Answer answer = journal_.answers()[next_];
    if (answer.question == question && answer.index == index) return recall(answer);
    // It went on in another way, with another budget for example.
    VYRE_TRY_VOID(journal_.cut(next_));
  }
  VYRE_TRY(const Result result, ask_inner(question, index));
  VYRE_TRY_VOID(journal_.append({question, index, result, now_seconds()}));
  return result;
}

Result Journalled::recall(const Answer& answer) {
  ++next_;
  if (answer.question == Question::sample) inner_.recall_sample(answer.index);
  replayed_seconds_ = answer.seconds;
  inner_start_ = inner_.now_seconds();
  return answer.result;
}

// A configuration that is prepared according to the journal was prepared in another process.
Expected<Result> Journalled::ask_inner(Question question, std::uint64_t index) {
  if (question == Question::prepare || prepared_.insert(index).second) {
    prepared_.insert(index);
    VYRE_TRY(const Status status, inner_.prepare(index));
    if (question == Question::prepare || status != Status::ok) return Result{status, 0};
  }
  if (question == Question::sample) return inner_.sample(index);
  VYRE_TRY(const Status status, inner_.verify(index));
  return Result{status, 0};
}

Expected<Status> Journalled::prepare(std::uint64_t index) {
  VYRE_TRY(const Result result, ask(Question::prepare, index));
  return result.status;
}

Expected<Status> Journalled::verify(std::uint64_t index) {
  VYRE_TRY(const Result result, ask(Question::verify, index));
  return result.status;
}

Expected<Result> Journalled::sample(std::uint64_t index) { return ask(Question::sample, index); }

}  // namespace vyre
