#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "backend/arena.h"

namespace vyre::backend {
namespace {

constexpr std::size_t kGap = 8192;

Arena made(Device& device, const std::vector<std::size_t>& sizes) {
  auto arena = Arena::make(device, sizes, kGap);
  EXPECT_TRUE(arena) << arena.error().message;
  EXPECT_TRUE(arena->mark());
  return *std::move(arena);
}

std::shared_ptr<Device> open_opencl_device() {
  auto device = open_device("opencl");
  EXPECT_TRUE(device) << device.error().message;
  return *std::move(device);
}

// Memory as large as a plain array, with parts that are views: what a kernel writes outside of a
// part can be written here at any place.
class ViewedBuffer final : public Buffer {
 public:
  ViewedBuffer(std::shared_ptr<std::vector<std::byte>> memory, std::size_t offset,
               std::size_t bytes)
      : memory_(std::move(memory)), offset_(offset), bytes_(bytes) {}

  std::size_t size() const override { return bytes_; }
  Expected<void> write(std::size_t offset, std::span<const std::byte> bytes) override {
    std::ranges::copy(bytes, memory_->begin() + static_cast<std::ptrdiff_t>(offset_ + offset));
    return {};
  }
  Expected<void> read(std::size_t offset, std::span<std::byte> bytes) const override {
    std::ranges::copy_n(memory_->begin() + static_cast<std::ptrdiff_t>(offset_ + offset),
                        static_cast<std::ptrdiff_t>(bytes.size()), bytes.begin());
    return {};
  }
  Expected<void> fill_zero(std::size_t, Timer*) override { return {}; }
  Expected<void> copy_from(const Buffer&, std::size_t) override { return {}; }
  Expected<std::unique_ptr<Buffer>> part(std::size_t offset, std::size_t bytes) override {
    return std::make_unique<ViewedBuffer>(memory_, offset_ + offset, bytes);
  }

  std::size_t offset() const { return offset_; }
  std::vector<std::byte>& memory() const { return *memory_; }

 private:
  std::shared_ptr<std::vector<std::byte>> memory_;
  std::size_t offset_;
  std::size_t bytes_;
};

class ViewedDevice final : public Device {
 public:
  explicit ViewedDevice(std::size_t limit, bool is_processor = false) {
    info_.part_alignment = 128;
    info_.shares_host_cores = is_processor;
    info_.limits.buffer_bytes = limit;
  }
  const DeviceInfo& info() const override { return info_; }
  Expected<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override {
    allocated.push_back(bytes);
    auto memory = std::make_shared<std::vector<std::byte>>(bytes);
    return std::make_unique<ViewedBuffer>(std::move(memory), 0, bytes);
  }
  Expected<std::shared_ptr<Kernel>> compile(const ir::Sequence&, std::uint32_t,
                                            const Specialisation&) override {
    return nullptr;
  }
  Expected<std::unique_ptr<Timer>> make_timer() override { return nullptr; }
  Expected<void> finish() override { return {}; }

  std::vector<std::size_t> allocated;

 private:
  DeviceInfo info_;
};

const ViewedBuffer& view(const Arena& arena, std::size_t buffer) {
  return dynamic_cast<const ViewedBuffer&>(*arena.buffers()[buffer]);
}

// Whether a write of one byte there, seen from the beginning of the buffer, is found, and as what.
std::string written(const Arena& arena, std::size_t buffer, std::ptrdiff_t at) {
  const ViewedBuffer& of = view(arena, buffer);
  std::byte& place =
      of.memory()[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(of.offset()) + at)];
  const std::byte before = std::exchange(place, std::byte{1});
  const auto damage = arena.find_damage();
  place = before;
  if (!damage || !*damage) return "";
  return ((*damage)->is_before ? "before " : "behind ") + std::to_string((*damage)->buffer);
}

class ArenaOf : public ::testing::TestWithParam<bool> {};

TEST_P(ArenaOf, FindsEveryByteOutside) {
  ViewedDevice device(std::size_t{1} << 30U, GetParam());
  const Arena arena = made(device, {100, 4096, 1});
  EXPECT_EQ(device.allocated.size(), 1U);
  const std::vector<std::size_t> sizes{100, 4096, 1};
  const auto gap = static_cast<std::ptrdiff_t>(kGap);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    EXPECT_EQ(view(arena, k).offset() % 4096, GetParam() ? 128 * k : 0U);
    const auto end = static_cast<std::ptrdiff_t>(sizes[k]);
    EXPECT_EQ(written(arena, k, 0), "");
    EXPECT_EQ(written(arena, k, end - 1), "");
    const std::string name = std::to_string(k);
    for (const std::ptrdiff_t near : {std::ptrdiff_t{1}, gap / 2}) {
      EXPECT_EQ(written(arena, k, -near), "before " + name) << near;
      EXPECT_EQ(written(arena, k, end - 1 + near), "behind " + name) << near;
    }
    EXPECT_NE(written(arena, k, -gap), "");
    EXPECT_NE(written(arena, k, end - 1 + gap), "");
  }
}

TEST_P(ArenaOf, HasAsManyAllocationsAsTheLimitDemands) {
  constexpr std::size_t kLimit = 64 << 10;
  ViewedDevice device(kLimit, GetParam());
  // Two fit together. The third has gaps of its own, the fourth has no room for any.
  const Arena arena = made(device, {16 << 10, 16 << 10, 40 << 10, kLimit, 1});
  EXPECT_EQ(device.allocated.size(), 4U);
  for (const std::size_t bytes : device.allocated) EXPECT_LE(bytes, kLimit);
  EXPECT_EQ(written(arena, 1, -1), "before 1");
  EXPECT_EQ(written(arena, 2, -1), "before 2");
  EXPECT_EQ(written(arena, 2, 40 << 10), "behind 2");
  EXPECT_EQ(view(arena, 3).memory().size(), kLimit);
  EXPECT_EQ(written(arena, 4, 1), "behind 4");
}

INSTANTIATE_TEST_SUITE_P(Devices, ArenaOf, ::testing::Bool(), [](const auto& is_processor) {
  return is_processor.param ? "processor" : "card";
});

TEST(Arena, PartsAreMemoryOfTheDevice) {
  const auto device = open_opencl_device();
  ASSERT_TRUE(Arena::is_possible(device->info()));
  const Arena arena = made(*device, {1000, 77});
  const std::vector<std::byte> some(77, std::byte{7});
  ASSERT_TRUE(arena.buffers()[0]->fill_zero(1000));
  ASSERT_TRUE(arena.buffers()[1]->write(0, some));
  std::vector<std::byte> got(77);
  ASSERT_TRUE(arena.buffers()[0]->copy_from(*arena.buffers()[1], 77));
  ASSERT_TRUE(arena.buffers()[0]->read(0, got));
  EXPECT_EQ(got, some);
  const auto damage = arena.find_damage();
  ASSERT_TRUE(damage) << damage.error().message;
  EXPECT_FALSE(*damage);
  EXPECT_FALSE(arena.buffers()[1]->part(70, 8));
}

TEST(Arena, OtherDevicesHaveNone) {
  const auto device = open_reference();
  EXPECT_FALSE(Arena::is_possible(device->info()));
  const auto part = (*device->allocate(100))->part(0, 10);
  ASSERT_FALSE(part);
  EXPECT_EQ(part.error().message,
            "buffers of this device have no parts; allocate one for each part");
}

}  // namespace
}  // namespace vyre::backend
