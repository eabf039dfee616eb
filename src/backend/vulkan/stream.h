// Stream: the commands of a device in order, recorded into batches and submitted to one queue.
//
// While the device is idle, a command is submitted at once. While it is busy, commands gather in
// the open batch, so that many small launches cost one submission. The open batch is submitted when
// it is full, when the device has become idle and another command comes, or when somebody waits.
//
// Thread-safe. The destructor waits for what was submitted and submits what was not.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/vulkan/batch.h"

namespace vyre::backend::vulkan {

class Stream {
 public:
  // `is_eager`: every command is submitted at once, whatever the device does.
  Stream(std::shared_ptr<DeviceHandle> device, VkQueue queue, std::uint32_t queue_family,
         bool is_eager)
      : device_(std::move(device)),
        queue_(queue),
        queue_family_(queue_family),
        is_eager_(is_eager) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  // Calls command(batch) with a batch that has room for so many descriptors, under the stream's
  // lock. The result is the serial to wait for. A command that fails leaves nothing recorded that
  // could do harm: it checks before it records.
  template <class Command>
  Expected<std::uint64_t> record(std::uint32_t descriptors, const Command& command) {
    const std::lock_guard lock(mutex_);
    VYRE_TRY_VOID(device_->check_alive());
    VYRE_TRY_VOID(make_room(descriptors));
    VYRE_TRY_VOID(command(*open_));
    open_->end_command();
    const std::uint64_t serial = open_->serial();
    VYRE_TRY_VOID(submit_if_due());
    return serial;
  }

  // Waits for the batch of that serial and all before it. 0: for nothing.
  Expected<void> wait(std::uint64_t serial);
  Expected<void> finish();

 private:
  Expected<void> make_room(std::uint32_t descriptors);
  Expected<void> submit_if_due();
  Expected<void> submit();
  Expected<void> collect();
  Expected<std::shared_ptr<Batch>> find_submitted(std::uint64_t serial);

  std::shared_ptr<DeviceHandle> device_;
  VkQueue queue_;
  std::uint32_t queue_family_;
  bool is_eager_;
  std::mutex mutex_;
  std::uint64_t last_serial_ = 0;
  std::uint64_t done_serial_ = 0;
  std::shared_ptr<Batch> open_;                   // null: nothing is recorded
  std::deque<std::shared_ptr<Batch>> submitted_;  // the oldest first
  std::vector<std::shared_ptr<Batch>> free_;
};

}  // namespace vyre::backend::vulkan
