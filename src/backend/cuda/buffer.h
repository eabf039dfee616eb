// Memory on a device of CUDA or HIP.

#pragma once

#include <memory>

#include "backend/cuda/context.h"

namespace vyre::backend::cuda {

// Where parts of a buffer begin: the driver's own allocations begin at such addresses, too.
inline constexpr std::size_t kPartAlignment = 256;

class CudaBuffer final : public Buffer {
 public:
  // Zeros.
  static Expected<std::unique_ptr<Buffer>> allocate(const std::shared_ptr<Context>& context,
                                                    std::size_t bytes);
  // The application's memory, which it keeps alive.
  static Expected<std::unique_ptr<Buffer>> adopt(const std::shared_ptr<Context>& context,
                                                 DriverPointer pointer, std::size_t bytes);

  std::size_t size() const override { return size_; }
  Expected<void> write(std::size_t offset, std::span<const std::byte> bytes) override;
  Expected<void> read(std::size_t offset, std::span<std::byte> bytes) const override;
  Expected<void> fill_zero(std::size_t bytes, Timer* timer = nullptr) override;
  Expected<void> copy_from(const Buffer& from, std::size_t bytes) override;
  Expected<std::unique_ptr<Buffer>> part(std::size_t offset, std::size_t bytes) override;

  const Context* context() const { return context_.get(); }
  DriverPointer pointer() const { return pointer_; }

 private:
  struct Allocation;
  CudaBuffer(std::shared_ptr<Context> context, std::shared_ptr<Allocation> allocation,
             DriverPointer pointer, std::size_t bytes);

  std::shared_ptr<Context> context_;
  std::shared_ptr<Allocation> allocation_;  // null: the application's
  DriverPointer pointer_;
  std::size_t size_;
};

}  // namespace vyre::backend::cuda
