// An installed vyre in use: a soft pick between three measured candidates, run as a program of the
// kernel language on the interpreter. `make test` builds and runs it.

#include <vyre/substrate/pick.h>

#include <cstdio>

int main() {
  const std::vector<double> elapsed_ns{12000, 8000, 10000};
  auto dispatcher = vyre::make_dispatcher(vyre::open_reference());
  const auto weights = vyre::substrate::pre_exp_of_costs(elapsed_ns, 4000);
  const auto pick = vyre::substrate::pick_config_pre_exp_fixed_via(*dispatcher, *weights);
  if (!pick) return std::puts(pick.error().message.c_str()), 1;
  for (const std::uint32_t p : *pick) std::printf("%.3f ", p / double{vyre::substrate::kOne});
  std::puts("");
  return 0;
}
