#include "tuner/campaign/journalled.h"

#include "base/error.h"

namespace vyre::tuner {

Journalled::Journalled(Evaluator& inner, Journal* journal)
    : inner_(inner), journal_(journal), inner_start_(inner.now_seconds()) {}

bool Journalled::is_replaying() const {
  return journal_ != nullptr && next_ < journal_->answers().size();
}

double Journalled::now_seconds() const {
  if (is_replaying()) return replayed_seconds_;
  return replayed_seconds_ + inner_.now_seconds() - inner_start_;
}

Expected<Result> Journalled::ask(Question question, std::uint64_t index) {
  if (is_replaying()) {
    const Answer& answer = journal_->answers()[next_];
    if (answer.question != question || answer.index != index) {
      return bad_inputs(
          "the journal does not fit this campaign at answer {}: it was made by another version or "
          "changed; remove it to start anew",
          next_);
    }
    ++next_;
    if (question == Question::sample) inner_.recall_sample(index);
    replayed_seconds_ = answer.seconds;
    inner_start_ = inner_.now_seconds();
    return answer.result;
  }
  VYRE_TRY(const Result result, ask_inner(question, index));
  if (journal_ != nullptr) {
    VYRE_TRY_VOID(journal_->append({question, index, result, now_seconds()}));
  }
  return result;
}

// What the journal says is prepared was so in another process.
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

}  // namespace vyre::tuner
