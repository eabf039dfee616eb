#include "tune/journalled.h"

#include <algorithm>

#include "base/error.h"
#include "tune/cost.h"

namespace vyre {

Journalled::Journalled(Evaluator& inner, Journal& journal, const space::Space& space)
    : inner_(inner), journal_(journal), space_(space), inner_start_(inner.now_seconds()) {
  while (is_replaying() && journal_.lines()[next_].entry == Entry::known) ++next_;
  skip_begins();
}

double Journalled::now_seconds() const {
  if (is_replaying()) return replayed_seconds_;
  return replayed_seconds_ + inner_.now_seconds() - inner_start_;
}

// They say when something began; that it was asked for follows from the answers.
void Journalled::skip_begins() {
  while (is_replaying() && journal_.lines()[next_].entry == Entry::begin) ++next_;
}

Expected<void> Journalled::start(const Work& work) {
  if (is_replaying()) {
    replayed_.push_back(work);
    return {};
  }
  VYRE_TRY_VOID(go_on());
  return start_inner(work);
}

// The journal is at its end: what it has no answer to is begun again.
Expected<void> Journalled::go_on() {
  const std::vector<Work> open = std::exchange(replayed_, {});
  for (const Work& work : open) VYRE_TRY_VOID(start_inner(work));
  return {};
}

Expected<void> Journalled::start_inner(const Work& work) {
  if (work.step == Step::admit) {
    VYRE_TRY_VOID(journal_.append({.entry = Entry::begin,
                                   .answer = {.work = work, .seconds = now_seconds()},
                                   .config = space_.config_at(work.index)}));
  }
  return inner_.start(work);
}

bool Journalled::take(const Work& work) {
  const auto found = std::ranges::find(replayed_, work);
  if (found == replayed_.end()) return false;
  replayed_.erase(found);
  return true;
}

// None: the time was over then. Where the campaign went on in another way, with another budget for
// example, the rest of the journal is of no use.
Expected<std::optional<Answer>> Journalled::replay(double until) {
  const JournalLine line = journal_.lines()[next_];
  const bool is_late = line.entry == Entry::late;
  if (is_late ? until > line.answer.seconds : !take(line.answer.work)) {
    VYRE_TRY_VOID(journal_.cut(next_));
    return next(until);
  }
  ++next_;
  skip_begins();
  replayed_seconds_ = line.answer.seconds;
  inner_start_ = inner_.now_seconds();
  if (is_late) return std::nullopt;
  inner_.recall(line.answer);
  return line.answer;
}

Expected<std::optional<Answer>> Journalled::next(double until) {
  if (is_replaying()) return replay(until);
  VYRE_TRY_VOID(go_on());
  const double inner_until = until - replayed_seconds_ + inner_start_;
  VYRE_TRY(auto answer, inner_.next(inner_until));
  if (!answer) {
    // Only if the time is over; else nothing was under way.
    if (now_seconds() < until) return std::nullopt;
    VYRE_TRY_VOID(journal_.append({.entry = Entry::late, .answer = {.seconds = now_seconds()}}));
    return std::nullopt;
  }
  answer->seconds = now_seconds();
  answer->unix_ms = now_unix_ms();
  VYRE_TRY_VOID(journal_.append({.entry = entry_of(answer->work.step), .answer = *answer}));
  return answer;
}

void Journalled::give_up() {
  replayed_.clear();
  inner_.give_up();
}

}  // namespace vyre
