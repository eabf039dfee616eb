#include "backend/vulkan/stream.h"

#include <algorithm>
#include <tuple>

namespace vyre::backend::vulkan {
namespace {

// More work than this is not handed to a device ahead of time: the caller waits for the oldest.
constexpr std::size_t kMostSubmitted = 16;

}  // namespace

Stream::~Stream() {
  // Nobody is left to hear of a failure. A wait that failed says nothing of the commands, so a
  // second one follows; objects of a lost device may be destroyed at once.
  if (!finish()) std::ignore = finish();
}

Expected<void> Stream::make_room(std::uint32_t descriptors) {
  if (open_ != nullptr && !open_->has_room(descriptors)) VYRE_TRY_VOID(submit());
  if (open_ != nullptr) return {};
  std::shared_ptr<Batch> next;
  if (free_.empty()) {
    VYRE_TRY(next, Batch::make(device_, queue_family_));
  } else {
    next = std::move(free_.back());
    free_.pop_back();
  }
  VYRE_TRY_VOID(next->begin(last_serial_ + 1));
  ++last_serial_;
  open_ = std::move(next);
  return {};
}

Expected<void> Stream::submit_if_due() {
  VYRE_TRY_VOID(collect());
  if (is_eager_ || submitted_.empty() || open_->is_full()) return submit();
  return {};
}

Expected<void> Stream::submit() {
  // A batch that the device does not take is gone, and so is what waits for it.
  const std::shared_ptr<Batch> batch = std::exchange(open_, nullptr);
  VYRE_TRY_VOID(batch->submit(queue_));
  submitted_.push_back(batch);
  if (submitted_.size() > kMostSubmitted) VYRE_TRY_VOID(submitted_.front()->wait());
  return {};
}

// Takes back what is done. A batch that a thread still waits for is not used again.
Expected<void> Stream::collect() {
  while (!submitted_.empty()) {
    VYRE_TRY(const bool is_done, submitted_.front()->is_done());
    if (!is_done) break;
    std::shared_ptr<Batch> batch = std::move(submitted_.front());
    submitted_.pop_front();
    done_serial_ = batch->serial();
    if (batch.use_count() > 1) continue;
    VYRE_TRY_VOID(batch->reset());
    free_.push_back(std::move(batch));
  }
  return {};
}

// The first submitted batch that is as late as the serial; null: all are done.
Expected<std::shared_ptr<Batch>> Stream::find_submitted(std::uint64_t serial) {
  const std::lock_guard lock(mutex_);
  VYRE_TRY_VOID(device_->check_alive());
  if (serial <= done_serial_) return nullptr;
  if (open_ != nullptr && open_->serial() <= serial) VYRE_TRY_VOID(submit());
  const auto it = std::ranges::find_if(
      submitted_, [&](const auto& batch) { return batch->serial() >= serial; });
  return it == submitted_.end() ? nullptr : *it;
}

Expected<void> Stream::wait(std::uint64_t serial) {
  {
    VYRE_TRY(const std::shared_ptr<Batch> batch, find_submitted(serial));
    if (batch != nullptr) VYRE_TRY_VOID(batch->wait());
  }
  const std::lock_guard lock(mutex_);
  return collect();
}

Expected<void> Stream::finish() {
  std::uint64_t serial = 0;
  {
    const std::lock_guard lock(mutex_);
    serial = last_serial_;
  }
  return wait(serial);
}

}  // namespace vyre::backend::vulkan
