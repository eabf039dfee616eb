#include "backend/vulkan/quirks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>

#include "backend/vulkan/build.h"
#include "base/hex.h"

namespace vyre::backend::vulkan {
namespace {

constexpr std::uint32_t kInputs = 256;

// A function of GLSL whose accuracy Vulkan leaves open, on inputs from `first` to `last`.
struct Function {
  const char* text;
  double (*meaning)(double x);
  double first;
  double last;
};
constexpr std::array kFunctions{
    Function{"exp(x)", [](double x) { return std::exp(x); }, -87, 88},
    Function{"exp2(x)", [](double x) { return std::exp2(x); }, -125, 127},
    Function{"log(x)", [](double x) { return std::log(x); }, 1e-3, 1e6},
    Function{"log2(x)", [](double x) { return std::log2(x); }, 1e-3, 1e6},
    Function{"sin(x)", [](double x) { return std::sin(x); }, -100, 100},
    Function{"cos(x)", [](double x) { return std::cos(x); }, -100, 100},
    Function{"tanh(x)", [](double x) { return std::tanh(x); }, -9, 9},
    Function{"pow(x, 3.7)", [](double x) { return std::pow(x, double{3.7F}); }, 1e-3, 1e6},
};

// A product that is rounded before the sum gives 0, a fused one 2^-24.
constexpr std::array<float, 3> kFused{1.000244140625F, 1.000244140625F, -1.00048828125F};
constexpr std::size_t kFusedWords = kFused.size() + 1;
constexpr std::size_t kWords = kFusedWords + kFunctions.size() * kInputs;

// Each function replaces its inputs by its results.
std::string probe_text() {
  std::string out = fmt::format(
      "#version 450\n"
      "layout(local_size_x = 1) in;\n"
      "layout(std430, binding = 0) buffer Data {{ float data[]; }};\n"
      "void main() {{\n"
      "  data[3] = fma(data[0], data[1], data[2]);\n"
      "  for (uint k = {}; k < {}; ++k) {{\n"
      "    float x;\n",
      kFusedWords, kFusedWords + kInputs);
  for (std::size_t f = 0; f < kFunctions.size(); ++f) {
    out += fmt::format("    x = data[{0} + k]; data[{0} + k] = {1};\n", f * kInputs,
                       kFunctions[f].text);
  }
  return out + "  }\n}\n";
}

float input_of(const Function& function, std::uint32_t k) {
  return static_cast<float>(function.first + (function.last - function.first) * k / (kInputs - 1));
}

std::vector<float> inputs() {
  std::vector<float> out(kFused.begin(), kFused.end());
  out.push_back(0);
  for (const Function& function : kFunctions) {
    for (std::uint32_t k = 0; k < kInputs; ++k) out.push_back(input_of(function, k));
  }
  return out;
}

// docs/ir.md: 16 ulp, or 2^-20 absolute where that is more. Half of it here, since 256 inputs are
// few.
bool is_close(float got, double meaning) {
  constexpr double kUlps = 8;
  constexpr double kAbsolute = 0x1p-21;
  const double difference = std::abs(static_cast<double>(got) - meaning);
  return difference <= std::max(kUlps * std::abs(meaning) * 0x1p-23, kAbsolute);
}

bool are_accurate(std::span<const float> results) {
  for (std::size_t f = 0; f < kFunctions.size(); ++f) {
    for (std::uint32_t k = 0; k < kInputs; ++k) {
      const auto x = static_cast<double>(input_of(kFunctions[f], k));
      if (!is_close(results[f * kInputs + k], kFunctions[f].meaning(x))) return false;
    }
  }
  return true;
}

Expected<std::vector<float>> run_probe(const std::shared_ptr<Context>& context) {
  const PipelineRequest request{
      .name = "probe", .file = "probe", .text = probe_text(), .buffers = {"data"}};
  VYRE_TRY(const auto pipeline, build_pipeline(context, request));
  VYRE_TRY(const auto memory, Memory::allocate(context->device(), context->facts().device,
                                               kWords * sizeof(float), Place::staging));
  std::vector<float> data = inputs();
  std::memcpy(memory->mapped(), data.data(), kWords * sizeof(float));
  const std::array bound{BoundMemory{memory->buffer(), 0, VK_WHOLE_SIZE}};
  const auto command = [&](Batch& batch) -> Expected<void> {
    VYRE_TRY_VOID(pipeline->bind(batch, bound));
    batch.keep(pipeline);
    batch.keep(memory);
    context->call().vkCmdDispatch(batch.commands(), 1, 1, 1);
    return {};
  };
  VYRE_TRY(const std::uint64_t serial, context->stream().record(1, command));
  VYRE_TRY_VOID(context->stream().wait(serial));
  std::memcpy(data.data(), memory->mapped(), kWords * sizeof(float));
  return data;
}

Expected<Context::Definitions> probe(const std::shared_ptr<Context>& context) {
  VYRE_TRY(const std::vector<float> data, run_probe(context));
  Context::Definitions out;
  if (data[kFused.size()] == 0) out.emplace_back("VYRE_OWN_FMA", "1");
  if (!are_accurate(std::span(data).subspan(kFusedWords))) {
    out.emplace_back("VYRE_OWN_FUNCTIONS", "1");
  }
  if (context->facts().preserves_specials) out.emplace_back("VYRE_FLOAT_CONTROLS", "1");
  return out;
}

}  // namespace

Expected<Context::Definitions> probe_quirks(const std::shared_ptr<Context>& context) {
  static std::mutex mutex;
  static auto& known = *new std::map<std::string, Context::Definitions>;
  const DeviceFacts& facts = context->facts();
  const std::string driver =
      fmt::format("{} {} {}", facts.driver, to_hex(facts.pipeline_cache_uuid), facts.minor);
  const std::lock_guard lock(mutex);
  if (const auto it = known.find(driver); it != known.end()) return it->second;
  VYRE_TRY(Context::Definitions found, probe(context));
  return known.emplace(driver, std::move(found)).first->second;
}

}  // namespace vyre::backend::vulkan
