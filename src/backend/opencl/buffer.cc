#include "backend/opencl/buffer.h"

#include "backend/common/range.h"
#include "backend/opencl/guarded_memory.h"
#include "backend/opencl/timer.h"

namespace vyre::backend::opencl {
namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

OpenclBuffer::OpenclBuffer(std::shared_ptr<Context> context, Owned<cl_mem> memory,
                           std::size_t bytes)
    : context_(std::move(context)),
      memory_(std::move(memory)),
      size_(bytes),
      serial_(next_serial()) {}

Expected<std::unique_ptr<Buffer>> OpenclBuffer::allocate(const std::shared_ptr<Context>& context,
                                                         std::size_t bytes) {
  if (bytes == 0) return bad_inputs("a buffer of 0 bytes; give at least one");
  if (wants_guards(*context)) {
    VYRE_TRY(Owned<cl_mem> guarded, allocate_guarded(*context, bytes));
    return std::make_unique<OpenclBuffer>(context, std::move(guarded), bytes);
  }
  cl_int code = CL_SUCCESS;
  Owned memory(api().clCreateBuffer(context->context(), CL_MEM_READ_WRITE, bytes, nullptr, &code));
  if (code != CL_SUCCESS) return cl_error(code, fmt::format("a buffer of {} bytes", bytes));
  auto buffer = std::make_unique<OpenclBuffer>(context, std::move(memory), bytes);
  VYRE_TRY_VOID(buffer->fill_zero(bytes));
  return buffer;
}

Expected<std::unique_ptr<Buffer>> OpenclBuffer::adopt(const std::shared_ptr<Context>& context,
                                                      cl_mem memory) {
  cl_context of = nullptr;
  std::size_t bytes = 0;
  if (memory == nullptr ||
      api().clGetMemObjectInfo(memory, CL_MEM_CONTEXT, sizeof(of), static_cast<void*>(&of),
                               nullptr) != CL_SUCCESS ||
      api().clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof(bytes), &bytes, nullptr) != CL_SUCCESS) {
    return bad_inputs("the OpenCL memory object is null or not valid; hand in one that is alive");
  }
  if (of != context->context()) {
    return bad_inputs(
        "the OpenCL memory object is of another context; adopt the device with that context");
  }
  return std::make_unique<OpenclBuffer>(context, Owned<cl_mem>::share(memory), bytes);
}

Expected<void> OpenclBuffer::write(std::size_t offset, std::span<const std::byte> bytes) {
  VYRE_TRY_VOID(check_range(offset, bytes.size(), size_));
  if (bytes.empty()) return {};
  const cl_int code = api().clEnqueueWriteBuffer(context_->queue(), memory(), CL_TRUE, offset,
                                                 bytes.size(), bytes.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS) return cl_error(code, "writing to a buffer");
  return {};
}

Expected<void> OpenclBuffer::read(std::size_t offset, std::span<std::byte> bytes) const {
  VYRE_TRY_VOID(check_range(offset, bytes.size(), size_));
  if (bytes.empty()) return {};
  const cl_int code = api().clEnqueueReadBuffer(context_->queue(), memory(), CL_TRUE, offset,
                                                bytes.size(), bytes.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS) return cl_error(code, "reading from a buffer");
  return {};
}

// The widest pattern that divides the size: PoCL copies it piece by piece.
Expected<void> OpenclBuffer::fill_zero(std::size_t bytes, Timer* timer) {
  VYRE_TRY_VOID(check_range(0, bytes, size_));
  if (bytes == 0) return {};
  constexpr std::array<std::uint64_t, 16> kZeros{};
  std::size_t width = sizeof(kZeros);
  while (bytes % width != 0) width /= 2;
  const cl_int code =
      api().clEnqueueFillBuffer(context_->queue(), memory(), kZeros.data(), width, 0, bytes, 0,
                                nullptr, OpenclTimer::place_for_event(timer));
  if (code != CL_SUCCESS) return cl_error(code, "filling a buffer");
  return {};
}

Expected<void> OpenclBuffer::copy_from(const Buffer& from, std::size_t bytes) {
  const auto* other = dynamic_cast<const OpenclBuffer*>(&from);
  if (other == nullptr || other->context_->context() != context_->context()) {
    return bad_inputs("a copy from a buffer of another device; read it and write it instead");
  }
  VYRE_TRY_VOID(check_range(0, bytes, other->size()));
  VYRE_TRY_VOID(check_range(0, bytes, size_));
  if (bytes == 0) return {};
  const cl_int code = api().clEnqueueCopyBuffer(context_->queue(), other->memory(), memory(), 0, 0,
                                                bytes, 0, nullptr, nullptr);
  if (code != CL_SUCCESS) return cl_error(code, "copying a buffer");
  return {};
}

Expected<std::unique_ptr<Buffer>> OpenclBuffer::part(std::size_t offset, std::size_t bytes) {
  VYRE_TRY_VOID(check_range(offset, bytes, size_));
  const cl_buffer_region region{.origin = offset, .size = bytes};
  cl_int code = CL_SUCCESS;
  Owned memory(api().clCreateSubBuffer(memory_.get(), CL_MEM_READ_WRITE,
                                       CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  if (code != CL_SUCCESS) return cl_error(code, "a part of a buffer");
  return std::make_unique<OpenclBuffer>(context_, std::move(memory), bytes);
}

}  // namespace vyre::backend::opencl
