// Memory on an OpenCL device.

#pragma once

#include <memory>

#include "backend/opencl/context.h"

namespace vyre::backend::opencl {

class OpenclBuffer final : public Buffer {
 public:
  OpenclBuffer(std::shared_ptr<Context> context, Owned<cl_mem> memory, std::size_t bytes);

  // Zeros.
  static Expected<std::unique_ptr<Buffer>> allocate(const std::shared_ptr<Context>& context,
                                                    std::size_t bytes);
  static Expected<std::unique_ptr<Buffer>> adopt(const std::shared_ptr<Context>& context,
                                                 cl_mem memory);

  std::size_t size() const override { return size_; }
  Expected<void> write(std::size_t offset, std::span<const std::byte> bytes) override;
  Expected<void> read(std::size_t offset, std::span<std::byte> bytes) const override;
  Expected<void> fill_zero(std::size_t bytes, Timer* timer = nullptr) override;
  Expected<void> copy_from(const Buffer& from, std::size_t bytes) override;
  Expected<std::unique_ptr<Buffer>> part(std::size_t offset, std::size_t bytes) override;

  const Context* context() const { return context_.get(); }
  cl_mem memory() const { return memory_.get(); }
  // Never the same for two buffers of a process, unlike a handle.
  std::uint64_t serial() const { return serial_; }

 private:
  std::shared_ptr<Context> context_;
  Owned<cl_mem> memory_;
  std::size_t size_;
  std::uint64_t serial_;
};

}  // namespace vyre::backend::opencl
