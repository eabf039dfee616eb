// WorkQueue: what is to be done, and which worker does it.
//
// A sample is taken by the worker that has compiled the configuration. All rivals of the final race
// run in the same one.

#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "tune/worker/member.h"

namespace vyre::worker {

inline bool is_timed(const Work& work) { return work.step != Step::admit; }

struct Assignment {
  Member* member = nullptr;
  Work work = {};
};

class WorkQueue {
 public:
  explicit WorkQueue(std::vector<Member>& members) : members_(members) {}

  void add(const Work& work) { (is_timed(work) ? timed_ : admits_).push_back(work); }
  void clear();
  bool is_empty() const { return admits_.empty() && timed_.empty(); }

  // Taken out. None: there is nothing of the kind, or the workers for it are busy.
  std::optional<Assignment> take_timed();
  std::optional<Assignment> take_admit();

 private:
  Member* place_for(const Work& work);
  Member* racing_place(std::uint64_t index);

  std::vector<Member>& members_;
  std::deque<Work> admits_;
  std::deque<Work> timed_;
  Member* racing_ = nullptr;
};

}  // namespace vyre::worker
