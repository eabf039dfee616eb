// Which links of a chain of kernels are worth fusing: small buffers between them fuse, large ones
// do not.
//
//   example_chain_fusion [DEVICE]

#include <vyre/substrate/chain_fusion.h>

#include <cstdio>

using namespace vyre;

int fail(const Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

int main(int argc, char** argv) {
  const auto device = open_device(argc > 1 ? argv[1] : "reference");
  if (!device) return fail(device.error());
  auto dispatcher = make_dispatcher(*device);

  // Element counts of the buffers between four kernels; 0 is a link without data.
  const std::vector<std::vector<std::uint64_t>> chains{
      {64, 64, 8}, {64, 0, 8}, {1024, 1024, 4}, {2, 3, 5}};
  constexpr double threshold = 32;
  substrate::ChainScratch scratch;
  for (const auto& ranks : chains) {
    const auto pressure = substrate::fusion_pressure_via(*dispatcher, ranks, scratch);
    if (!pressure) return fail(pressure.error());
    const auto fuse = substrate::should_fuse_chain_via(*dispatcher, ranks, threshold, scratch);
    if (!fuse) return fail(fuse.error());
    for (const std::uint64_t rank : ranks) {
      std::printf("%6llu", static_cast<unsigned long long>(rank));
    }
    std::printf("   pressure %8.0f   %s at %g\n", *pressure, *fuse ? "fuse" : "keep apart",
                threshold);
  }
  return 0;
}
