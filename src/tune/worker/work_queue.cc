#include "tune/worker/work_queue.h"

#include <algorithm>

namespace vyre::worker {

void WorkQueue::clear() {
  admits_.clear();
  timed_.clear();
}

std::optional<Assignment> WorkQueue::take_timed() {
  for (auto work = timed_.begin(); work != timed_.end(); ++work) {
    Member* member = place_for(*work);
    if (member == nullptr) continue;
    const Assignment out{member, *work};
    timed_.erase(work);
    return out;
  }
  return std::nullopt;
}

// For one that is not about to time something.
std::optional<Assignment> WorkQueue::take_admit() {
  const auto is_free = [&](const Member& member) {
    return member.is_idle() && std::ranges::none_of(timed_, [&](const Work& work) {
             return member.has_compiled(work.index);
           });
  };
  const auto found = std::ranges::find_if(members_, is_free);
  if (admits_.empty() || found == members_.end()) return std::nullopt;
  const Assignment out{&*found, admits_.front()};
  admits_.pop_front();
  return out;
}

// Null: the worker that has it compiled is busy.
Member* WorkQueue::place_for(const Work& work) {
  if (work.step != Step::sample) return racing_place(work.index);
  Member* idle = nullptr;
  for (Member& member : members_) {
    if (member.process && member.has_compiled(work.index)) {
      return member.is_idle() ? &member : nullptr;
    }
    if (member.is_idle()) idle = &member;
  }
  return idle;
}

Member* WorkQueue::racing_place(std::uint64_t index) {
  if (racing_ != nullptr) return racing_->is_idle() ? racing_ : nullptr;
  for (Member& member : members_) {
    const bool is_better = racing_ == nullptr || member.has_compiled(index);
    if (member.is_idle() && is_better) racing_ = &member;
  }
  return racing_;
}

}  // namespace vyre::worker
