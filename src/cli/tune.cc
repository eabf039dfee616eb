// `vyre tune`: until kernels are tuned on a device, it shows what there is: the soft pick over the
// example costs, computed by a program of the kernel language on the interpreter.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/command.h"
#include "cli/table.h"
#include "vyre/substrate.h"

namespace vyre::cli {
namespace {

constexpr double kTemperatureNs = 4000;

struct Candidate {
  std::uint32_t workgroup;
  double elapsed_ns;
};
constexpr Candidate kExample[] = {{64, 12000}, {128, 8000}, {256, 10000}};

Expected<void> tune(const std::string& selector) {
  VYRE_TRY(auto device, backend::open_device(selector));
  auto dispatcher = backend::make_dispatcher(device);
  std::vector<double> costs;
  for (const Candidate& c : kExample) costs.push_back(c.elapsed_ns);
  VYRE_TRY(const auto weights, substrate::pre_exp_of_costs(costs, kTemperatureNs));
  VYRE_TRY(const auto picked, substrate::pick_config_pre_exp_fixed_via(*dispatcher, weights));
  fmt::print("soft pick over {} candidates on {} ({}), temperature {} ns\n\n", costs.size(),
             device->info().name, device->info().backend, kTemperatureNs);
  Table table({{"workgroup", Align::right},
               {"elapsed ns", Align::right},
               {"weight Q16", Align::right},
               {"pick Q16", Align::right},
               {"pick", Align::right}});
  std::size_t best = 0;
  for (std::size_t k = 0; k < costs.size(); ++k) {
    if (picked[k] > picked[best]) best = k;
    table.add({std::to_string(kExample[k].workgroup), fmt::format("{:.0f}", costs[k]),
               std::to_string(weights[k]), std::to_string(picked[k]),
               fmt::format("{:.1f} %", 100.0 * picked[k] / substrate::kOne)});
  }
  fmt::print("{}\nlargest: workgroup {}\n", table.text(), kExample[best].workgroup);
  return {};
}

}  // namespace

void add_tune(CLI::App& app, Context& context) {
  auto device = std::make_shared<std::string>("reference");
  CLI::App* command =
      app.add_subcommand("tune", "Show the soft pick over the example costs, run as a program");
  command->add_option("--device", *device, "Backend to run on, for example reference")
      ->capture_default_str();
  command->callback([&context, device] { context.action = [device] { return tune(*device); }; });
}

}  // namespace vyre::cli
