// Which of three workgroup sizes to run: a soft pick from measured times, and what a metric that
// knows more about the first of them makes of it. The numbers are computed on a device.
//
//   example_soft_pick [DEVICE]

#include <vyre/substrate/natural_gradient.h>

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

  const std::vector<int> sizes{64, 128, 256};
  const std::vector<double> elapsed_ns{12000, 8000, 10000};
  const auto weights = substrate::pre_exp_of_costs(elapsed_ns, 4000);
  if (!weights) return fail(weights.error());

  // Scratch keeps programs and bytes: a second pick allocates nothing.
  substrate::PickScratch scratch;
  std::vector<std::uint32_t> chances;
  for (int turn = 0; turn < 2; ++turn) {
    const auto picked =
        substrate::pick_config_pre_exp_fixed_via(*dispatcher, *weights, scratch, chances);
    if (!picked) return fail(picked.error());
  }

  auto metric = substrate::identity_fisher_q16(sizes.size());
  if (!metric) return fail(metric.error());
  (*metric)[0] = 8 * substrate::kOne;
  const auto natural = substrate::natural_config_gradient_magnitude_pre_exp_fixed_via(
      *dispatcher, *weights, *metric);
  if (!natural) return fail(natural.error());

  std::printf("on %s\n%9s %9s %9s %9s\n", (*device)->info().name.c_str(), "size", "ns", "chance",
              "natural");
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    std::printf("%9d %9.0f %8.1f%% %9.3f\n", sizes[k], elapsed_ns[k],
                100.0 * chances[k] / substrate::kOne, 1.0 * (*natural)[k] / substrate::kOne);
  }
  const auto best = substrate::pick_best_config(elapsed_ns);
  if (!best) return fail(best.error());
  std::printf("best measured: %d\n", sizes[*best]);
  return 0;
}
