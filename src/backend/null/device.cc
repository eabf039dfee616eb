// The null device: compiles and launches everything, computes nothing. Copy this file to start a
// new backend; it has every function that one needs and nothing else.

#include "vyre/device.h"

#include <vector>

#include "backend/common/range.h"
#include "base/error.h"

namespace vyre {
namespace {

// Has a size, but no content: reads as zeros.
class NullBuffer final : public Buffer {
 public:
  explicit NullBuffer(std::size_t bytes) : size_(bytes) {}

  std::size_t size() const override { return size_; }

  Expected<void> write(std::size_t offset, std::span<const std::byte> bytes) override {
    return backend::check_range(offset, bytes.size(), size_);
  }

  Expected<void> read(std::size_t offset, std::span<std::byte> bytes) const override {
    VYRE_TRY_VOID(backend::check_range(offset, bytes.size(), size_));
    for (std::byte& b : bytes) b = std::byte{0};
    return {};
  }

  Expected<void> fill_zero(std::size_t bytes, Timer*) override {
    return backend::check_range(0, bytes, size_);
  }

  Expected<void> copy_from(const Buffer& from, std::size_t bytes) override {
    VYRE_TRY_VOID(backend::check_range(0, bytes, from.size()));
    return backend::check_range(0, bytes, size_);
  }

 private:
  std::size_t size_;
};

class NullTimer final : public Timer {
 public:
  Expected<std::uint64_t> elapsed_ns() override { return 0; }
};

class NullKernel final : public Kernel {
 public:
  Expected<void> launch(const Launch&) override { return {}; }
};

class NullDevice final : public Device {
 public:
  NullDevice() {
    info_.backend = "null";
    info_.name = "null";
    info_.driver = "1";
    info_.selector = "null";
    info_.executes = false;
    info_.limits = {.workgroup_items = 1024,
                    .workgroup_size = {1024, 1024, 1024},
                    .buffer_bytes = std::uint64_t{1} << 40,
                    .local_bytes = std::uint64_t{1} << 20,
                    .compute_units = 1};
  }

  const DeviceInfo& info() const override { return info_; }

  Expected<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override {
    return std::make_unique<NullBuffer>(bytes);
  }

  Expected<std::shared_ptr<Kernel>> compile(const ir::Sequence&, std::uint32_t,
                                            const Specialisation&) override {
    return std::make_shared<NullKernel>();
  }

  Expected<std::unique_ptr<Timer>> make_timer() override { return std::make_unique<NullTimer>(); }
  Expected<void> finish() override { return {}; }

 private:
  DeviceInfo info_;
};

}  // namespace

std::shared_ptr<Device> open_null() { return std::make_shared<NullDevice>(); }

}  // namespace vyre
