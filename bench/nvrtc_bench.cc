// What a candidate in CUDA C++ costs before it runs: NVRTC, and the same kernel from the binary
// store. No card is needed: cubins are made for sm_80.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "backend/common/binary_store.h"
#include "backend/cuda/compiler.h"
#include "base/check.h"
#include "ir/includes.h"
#include "testing/bench.h"
#include "testing/compiled_problem.h"
#include "testing/temporary_folder.h"
#include "testing/test_tools.h"

namespace vyre::testing {
namespace {

namespace cuda = backend::cuda;

constexpr std::uint64_t kConfigurations = 5;

cuda::CompileRequest request_for(const Problem& problem, std::uint64_t index) {
  const auto plan = planned_kernel(problem, problem.space.config_at(index), ir::Language::cuda);
  VYRE_CHECK(plan);
  cuda::CompileRequest out{.name = problem.name,
                           .text = plan->source.text,
                           .entry = plan->entry,
                           .options = ir::words_of_options(plan->source.options),
                           .architecture = "sm_80"};
  for (const backend::Parameter& parameter : plan->parameters) {
    if (parameter.kind == backend::Parameter::Kind::constant) {
      out.constants.push_back(parameter.name);
    }
  }
  return out;
}

double milliseconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void compare(Report& report, const cuda::Compiler& compiler, const std::string& name) {
  const auto problem = bundled_problem(name, {}, ir::Language::cuda);
  VYRE_CHECK(problem);
  const TemporaryFolder folder;
  const backend::BinaryStore store(folder / "binaries");
  std::vector<double> compiled_ms;
  std::vector<double> loaded_ms;
  for (std::uint64_t k = 0; k < kConfigurations; ++k) {
    const auto request = request_for(*problem, problem->space.size() / kConfigurations * k);
    const Hash key{static_cast<std::uint8_t>(k)};
    compiled_ms.push_back(milliseconds_of([&] {
      const auto image = compiler.compile(request);
      VYRE_CHECK(image);
      VYRE_CHECK(store.save(key, cuda::packed(*image)));
    }));
    loaded_ms.push_back(
        milliseconds_of([&] { VYRE_CHECK(cuda::unpacked(store.load(key).binary)); }));
  }
  report.add(
      {.name = fmt::format("{} in CUDA C++ from the store, against {}", name, compiler.name()),
       .value = median(loaded_ms),
       .unit = "ms",
       .baseline = median(compiled_ms),
       .note = fmt::format("medians of {} configurations, sm_80", kConfigurations)});
}

VYRE_BENCHMARK(nvrtc) {
  const auto library = nvrtc_library();
  const auto compilers = library ? cuda::Compiler::load(cuda::Api::cuda, library->string())
                                 : Expected<std::vector<std::shared_ptr<const cuda::Compiler>>>();
  if (!library || !compilers) {
    report.add({.name = "kernels in CUDA C++ from the store, against NVRTC",
                .unit = "ms",
                .note = "there is no NVRTC; run tools/setup --all"});
    return;
  }
  for (const char* name : {"conv2d", "stencil", "transpose"}) {
    compare(report, *compilers->front(), name);
  }
}

}  // namespace
}  // namespace vyre::testing
