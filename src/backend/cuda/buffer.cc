#include "backend/cuda/buffer.h"

#include "backend/common/range.h"
#include "backend/cuda/timer.h"

namespace vyre::backend::cuda {
namespace {

// Of CUpointer_attribute, and HIP's.
constexpr int kMemoryType = 2;
constexpr int kRangeStart = 11;
constexpr int kRangeSize = 12;

}  // namespace

// Freed when its last part is gone. The driver waits for commands that use it.
struct CudaBuffer::Allocation {
  std::shared_ptr<Context> context;
  DriverPointer pointer = 0;

  explicit Allocation(std::shared_ptr<Context> of) : context(std::move(of)) {}
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation() {
    if (pointer == 0) return;
    if (const auto use = context->use()) context->call().memory_free(pointer);
    --cuda_counters().buffers;
  }
};

CudaBuffer::CudaBuffer(std::shared_ptr<Context> context, std::shared_ptr<Allocation> allocation,
                       DriverPointer pointer, std::size_t bytes)
    : context_(std::move(context)),
      allocation_(std::move(allocation)),
      pointer_(pointer),
      size_(bytes) {}

Expected<std::unique_ptr<Buffer>> CudaBuffer::allocate(const std::shared_ptr<Context>& context,
                                                       std::size_t bytes) {
  if (bytes == 0) return bad_inputs("a buffer of 0 bytes; give at least one");
  VYRE_TRY(const auto use, context->use());
  auto allocation = std::make_shared<Allocation>(context);
  VYRE_TRY_VOID(context->check(context->call().memory_allocate(&allocation->pointer, bytes),
                               fmt::format("a buffer of {} bytes", bytes)));
  ++cuda_counters().buffers;
  const DriverPointer pointer = allocation->pointer;
  std::unique_ptr<Buffer> out(new CudaBuffer(context, std::move(allocation), pointer, bytes));
  VYRE_TRY_VOID(out->fill_zero(bytes));
  return out;
}

Expected<std::unique_ptr<Buffer>> CudaBuffer::adopt(const std::shared_ptr<Context>& context,
                                                    DriverPointer pointer, std::size_t bytes) {
  if (bytes == 0) return bad_inputs("a buffer of 0 bytes; give at least one");
  VYRE_TRY(const auto use, context->use());
  const DriverFunctions& call = context->call();
  unsigned type = 0;
  if (pointer == 0 || call.pointer_attribute(&type, kMemoryType, pointer) != 0) {
    return bad_inputs("the address {:#x} is not memory of the device; hand in one that is",
                      pointer);
  }
  DriverPointer begin = 0;
  std::size_t whole = 0;
  const bool is_known = call.pointer_attribute(&begin, kRangeStart, pointer) == 0 &&
                        call.pointer_attribute(&whole, kRangeSize, pointer) == 0;
  if (is_known && bytes > whole - (pointer - begin)) {
    return bad_inputs("{} bytes at the address {:#x} are more than the {} that are allocated there",
                      bytes, pointer, whole - (pointer - begin));
  }
  return std::unique_ptr<Buffer>(new CudaBuffer(context, nullptr, pointer, bytes));
}

// Waits: the driver returns before it has read memory that the application has pinned.
Expected<void> CudaBuffer::write(std::size_t offset, std::span<const std::byte> bytes) {
  VYRE_TRY_VOID(check_range(offset, bytes.size(), size_));
  if (bytes.empty()) return {};
  VYRE_TRY(const auto use, context_->use());
  const DriverFunctions& call = context_->call();
  const int code = call.copy_in(pointer_ + offset, bytes.data(), bytes.size(), context_->stream());
  VYRE_TRY_VOID(context_->check(code, "writing to a buffer"));
  return context_->check(call.stream_finish(context_->stream()), "writing to a buffer");
}

Expected<void> CudaBuffer::read(std::size_t offset, std::span<std::byte> bytes) const {
  VYRE_TRY_VOID(check_range(offset, bytes.size(), size_));
  if (bytes.empty()) return {};
  VYRE_TRY(const auto use, context_->use());
  const DriverFunctions& call = context_->call();
  const int code = call.copy_out(bytes.data(), pointer_ + offset, bytes.size(), context_->stream());
  VYRE_TRY_VOID(context_->check(code, "reading from a buffer"));
  return context_->check(call.stream_finish(context_->stream()), "reading from a buffer");
}

Expected<void> CudaBuffer::fill_zero(std::size_t bytes, Timer* timer) {
  VYRE_TRY_VOID(check_range(0, bytes, size_));
  if (bytes == 0) return {};
  VYRE_TRY(const auto use, context_->use());
  return CudaTimer::enclose(timer, [&] {
    return context_->check(context_->call().fill_bytes(pointer_, 0, bytes, context_->stream()),
                           "filling a buffer");
  });
}

Expected<void> CudaBuffer::copy_from(const Buffer& from, std::size_t bytes) {
  const auto* other = dynamic_cast<const CudaBuffer*>(&from);
  if (other == nullptr || other->context_->handle() != context_->handle()) {
    return bad_inputs("a copy from a buffer of another device; read it and write it instead");
  }
  VYRE_TRY_VOID(check_range(0, bytes, other->size()));
  VYRE_TRY_VOID(check_range(0, bytes, size_));
  if (bytes == 0) return {};
  VYRE_TRY(const auto use, context_->use());
  const int code =
      context_->call().copy_within(pointer_, other->pointer_, bytes, context_->stream());
  return context_->check(code, "copying a buffer");
}

Expected<std::unique_ptr<Buffer>> CudaBuffer::part(std::size_t offset, std::size_t bytes) {
  VYRE_TRY_VOID(check_range(offset, bytes, size_));
  if (offset % kPartAlignment != 0) {
    return backend_error("a part of a buffer at offset {}; begin it at a multiple of {}", offset,
                         kPartAlignment);
  }
  return std::unique_ptr<Buffer>(new CudaBuffer(context_, allocation_, pointer_ + offset, bytes));
}

}  // namespace vyre::backend::cuda
