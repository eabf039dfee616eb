#include "backend/ranking.h"

#include <gtest/gtest.h>

namespace vyre::backend {
namespace {

DeviceInfo ranked_device(DeviceKind kind, std::string backend = "opencl", bool is_layered = false) {
  DeviceInfo info;
  info.backend = std::move(backend);
  info.kind = kind;
  info.is_layered = is_layered;
  return info;
}

TEST(Ranking, PutsGpusFirstAndNativeInterfacesBeforeLayeredOnes) {
  DeviceInfo computes_nothing = ranked_device(DeviceKind::gpu, "null");
  computes_nothing.executes = false;
  const std::vector<DeviceInfo> best_first{
      ranked_device(DeviceKind::gpu),         ranked_device(DeviceKind::gpu, "opencl", true),
      ranked_device(DeviceKind::accelerator), ranked_device(DeviceKind::cpu),
      ranked_device(DeviceKind::interpreter), computes_nothing};
  for (std::size_t a = 0; a < best_first.size(); ++a) {
    EXPECT_EQ(is_of_the_best_kind(best_first[a]), a == 0) << a;
    for (std::size_t b = 0; b < best_first.size(); ++b) {
      EXPECT_EQ(is_better(best_first[a], best_first[b]), a < b) << a << " and " << b;
    }
  }
}

TEST(Ranking, LeavesEqualsInTheOrderOfTheirBackends) {
  const DeviceInfo native = ranked_device(DeviceKind::gpu, "cuda");
  const DeviceInfo shared = ranked_device(DeviceKind::gpu, "opencl");
  EXPECT_FALSE(is_better(native, shared));
  EXPECT_FALSE(is_better(shared, native));
}

TEST(Ranking, KnowsACardByItsUuidOrItsPciAddress) {
  DeviceInfo cuda = ranked_device(DeviceKind::gpu, "cuda");
  DeviceInfo opencl = ranked_device(DeviceKind::gpu, "opencl");
  EXPECT_FALSE(is_same_hardware(cuda, opencl)) << "nothing is known of either";
  cuda.hardware = {.uuid = "00112233445566778899aabbccddeeff", .pci = "0000:01:00.0"};
  EXPECT_FALSE(is_same_hardware(cuda, opencl));
  opencl.hardware.uuid = cuda.hardware.uuid;
  EXPECT_TRUE(is_same_hardware(cuda, opencl));
  opencl.hardware = {.uuid = "another", .pci = cuda.hardware.pci};
  EXPECT_TRUE(is_same_hardware(cuda, opencl));
  opencl.hardware.pci = "0000:02:00.0";
  EXPECT_FALSE(is_same_hardware(cuda, opencl));
  EXPECT_FALSE(is_same_hardware(cuda, cuda)) << "one implementation lists a card once";
}

TEST(ListDevices, NamesTheBestFirstAndTheOnesThatComputeNothingLast) {
  const DeviceList list = list_devices();
  ASSERT_GE(list.devices.size(), 2U);
  for (std::size_t k = 1; k < list.devices.size(); ++k) {
    EXPECT_FALSE(is_better(list.devices[k].device->info(), list.devices[k - 1].device->info()));
  }
  EXPECT_EQ(list.devices.back().device->info().backend, "null");
  const auto best = open_best_device();
  ASSERT_TRUE(best) << best.error().message;
  EXPECT_EQ(fingerprint((*best)->info()), fingerprint(list.devices.front().device->info()));
  for (const auto& missing : list.missing) EXPECT_FALSE(missing.why.message.empty());
}

}  // namespace
}  // namespace vyre::backend
