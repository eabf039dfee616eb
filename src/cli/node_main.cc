// `vyre-node`: the program that `vyre tune --launcher` starts on other machines. It measures
// candidates there, in workers of its own, and talks with the campaign over its standard streams.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <string>
#include <string_view>

#include "fleet/node.h"
#include "tune/evaluators.h"
#include "vyre/config.h"
#include "vyre/device.h"

namespace {

constexpr const char* kUsage =
    "vyre-node is started by `vyre tune --launcher`, not by hand: vyre-node [--device DEVICE]\n";

// Drivers may print. The streams of the campaign get other numbers.
int take_stream(int standard) {
  const int out = ::fcntl(standard, F_DUPFD_CLOEXEC, 3);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, standard);
  ::close(nothing);
  return out;
}

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

// The interpreter cannot crash.
vyre::Isolation isolation_for(const vyre::DeviceInfo& device) {
  return device.backend == "reference" ? vyre::Isolation::automatic : vyre::Isolation::workers;
}

}  // namespace

int main(int argc, char** argv) {
  const bool names_device = argc == 3 && std::string_view(argv[1]) == "--device";
  if ((argc != 1 && !names_device) || ::isatty(0) != 0) {
    fmt::print(stderr, "{}", kUsage);
    return 2;
  }
  const std::string selector = names_device ? argv[2] : "best";
  const int input = take_stream(0);
  const int output = take_stream(1);
  std::shared_ptr<vyre::Device> device;
  vyre::fleet::serve_node(
      input, output,
      {.host = host_name(),
       .open_device = [&]() -> vyre::Expected<vyre::DeviceInfo> {
         auto opened = vyre::open_device(selector, vyre::device_options(vyre::from_env().files));
         if (!opened) return std::unexpected(opened.error());
         device = *std::move(opened);
         return device->info();
       },
       .evaluate = [&](const vyre::Problem& problem, const vyre::fleet::JobHead& job,
                       const vyre::ConfigOf& config_of)
           -> vyre::Expected<std::unique_ptr<vyre::Evaluator>> {
         return vyre::make_evaluator({.files = vyre::from_env().files,
                                      .workers = {.isolation = isolation_for(device->info()),
                                                  .build_limit = job.build_limit,
                                                  .run_limit = job.run_limit,
                                                  .build_memory = job.build_memory,
                                                  .memory_limit = job.memory_limit}},
                                     device, problem, config_of);
       }});
}
