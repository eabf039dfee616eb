#include <algorithm>
#include <utility>

#include "base/error.h"
#include "vyre/substrate/search.h"

namespace vyre {

Expected<Replay> Replay::make(recording::Recording recording) {
  VYRE_TRY(space::Space space, recording::to_space(recording));
  return Replay(std::make_shared<const recording::Recording>(std::move(recording)),
                std::move(space));
}

Replay::Replay(std::shared_ptr<const recording::Recording> recording, space::Space space)
    : recording_(std::move(recording)),
      space_(std::move(space)),
      next_run_(recording_->rows.size(), 0) {}

Expected<const recording::Row*> Replay::row(std::uint64_t index) const {
  if (index < recording_->rows.size()) return &recording_->rows[index];
  return bad_inputs("configuration {} is not in the recording, which has {}", index,
                    recording_->rows.size());
}

Expected<Status> Replay::prepare(std::uint64_t index) {
  VYRE_TRY(const recording::Row* r, row(index));
  clock_ms_ += r->compile_ms + r->framework_ms;
  // What fails at run time compiles all the same, and is found out by running it.
  const bool compiles = r->status != Status::compile && r->status != Status::constraints;
  return compiles ? Status::ok : r->status;
}

Expected<Status> Replay::verify(std::uint64_t index) {
  VYRE_TRY(const recording::Row* r, row(index));
  clock_ms_ += r->validation_ms;
  return r->status == Status::correctness ? Status::correctness : Status::ok;
}

double Replay::next_run_ms(std::uint64_t index) {
  const recording::Row& r = recording_->rows[index];
  if (r.run_ms.empty()) return r.time_ms.value_or(0);
  const double time_ms = r.run_ms[next_run_[index]];
  next_run_[index] = (next_run_[index] + 1) % static_cast<std::uint32_t>(r.run_ms.size());
  return time_ms;
}

Expected<Result> Replay::sample(std::uint64_t index) {
  VYRE_TRY(const recording::Row* r, row(index));
  if (r->status != Status::ok) return Result{r->status, 0};
  const double time_ms = next_run_ms(index);
  clock_ms_ += time_ms;
  return Result{Status::ok, time_ms};
}

void Replay::recall_sample(std::uint64_t index) {
  if (row(index)) next_run_ms(index);
}

Expected<Result> Replay::evaluate(std::uint64_t index) {
  VYRE_TRY(const Status prepared, prepare(index));
  if (prepared != Status::ok) return Result{prepared, 0};
  VYRE_TRY(const recording::Row* r, row(index));
  if (r->status != Status::ok) return Result{r->status, 0};
  for (std::size_t k = 0; k < std::max<std::size_t>(1, r->run_ms.size()); ++k) {
    VYRE_TRY_VOID(sample(index));
  }
  return Result{Status::ok, *r->time_ms};
}

}  // namespace vyre
