#include "recording/read_kernel.h"

#include <array>

#include "base/error.h"
#include "recording/limits.h"
#include "recording/read_arguments.h"
#include "recording/t1_fields.h"

namespace vyre::recording {
namespace {

// The first three are T1's. Kernel Tuner runs HIP too, and writes Hypertuner for its own use.
constexpr std::array<std::string_view, 5> kLanguages{"OpenCL", "CUDA", "Vulkan", "HIP",
                                                     "Hypertuner"};
constexpr std::array<std::string_view, 3> kSizeTypes{"OpenCL", "CUDA", "Vulkan"};
constexpr std::array<std::string_view, 3> kAxes{"X", "Y", "Z"};

// A size that does not compile is only a warning: some published files name parameters that do not
// exist, and their spaces can still be searched.
void check_size(std::string_view text, const JsonNode& axis_of, std::string_view axis, T1File& t1) {
  if (text.find("ProblemSize[") != std::string_view::npos) return;  // sizes are known at the launch
  std::vector<std::string> names = t1.kernel.problem_size_names;
  for (const space::Parameter& parameter : t1.space.parameters) {
    names.push_back(parameter.name);
  }
  const auto compiled = space::Expression::compile(text, names);
  if (compiled) return;
  t1.warnings.push_back(fmt::format("{}.{}: {}", axis_of.where(), axis, compiled.error().message));
}

Expected<Size3> read_size(const JsonNode& node, T1File& t1) {
  Fields fields(node, t1);
  Size3 out{"1", "1", "1"};
  VYRE_TRY_VOID(fields.at("X"));
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    VYRE_TRY_VOID(fields.expression(kAxes[i], out[i]));
    check_size(out[i], node, kAxes[i], t1);
  }
  VYRE_TRY_VOID(fields.keep_unknown());
  return out;
}

Expected<void> read_sizes(Fields& fields, T1File& t1) {
  KernelSpecification& kernel = t1.kernel;
  VYRE_TRY(const JsonNode global_size, fields.at("GlobalSize"));
  VYRE_TRY(kernel.global_size, read_size(global_size, t1));
  VYRE_TRY(const JsonNode local_size, fields.at("LocalSize"));
  VYRE_TRY(kernel.local_size, read_size(local_size, t1));
  VYRE_TRY_VOID(fields.word("GlobalSizeType", kSizeTypes, kernel.global_size_type));
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    VYRE_TRY_VOID(fields.texts(fmt::format("GridDiv{}", kAxes[i]), kernel.grid_divisors[i]));
  }
  return {};
}

Expected<void> read_problem_size(Fields& fields, T1File& t1) {
  VYRE_TRY(const auto node, fields.find("ProblemSize"));
  if (!node) return {};
  const auto as_expression = [](const Json& json) -> std::optional<std::string> {
    if (json.is_string()) return json.get_ref<const std::string&>();
    return json.is_number() ? std::optional(json.dump()) : std::nullopt;
  };
  const Json& json = node->json();
  const Json list = json.is_array() ? json : Json::array({json});
  for (const Json& element : list) {
    const auto text = as_expression(element);
    if (!text) return node->expected("a list of numbers and expressions");
    t1.kernel.problem_size.push_back(*text);
  }
  return {};
}

Expected<void> read_metrics(Fields& fields, T1File& t1) {
  VYRE_TRY(const auto node, fields.find("Metrics"));
  if (!node) return {};
  VYRE_TRY(const std::vector<JsonNode> elements, node->elements());
  VYRE_TRY_VOID(check_count(*node, kMostParts));
  for (const JsonNode& element : elements) {
    Fields metric(element, t1);
    auto& [name, expression] = t1.kernel.metrics.emplace_back();
    VYRE_TRY_VOID(metric.required_text("Name", name));
    VYRE_TRY_VOID(metric.required_text("Expression", expression));
    VYRE_TRY_VOID(metric.keep_unknown());
  }
  return {};
}

Expected<void> read_device(Fields& fields, T1File& t1) {
  VYRE_TRY(const auto node, fields.find("Device"));
  if (!node) return {};
  Fields device(*node, t1);
  VYRE_TRY_VOID(device.integer("PlatformId", t1.kernel.device.platform_id));
  VYRE_TRY_VOID(device.integer("DeviceId", t1.kernel.device.device_id));
  VYRE_TRY_VOID(device.text("Name", t1.kernel.device.name));
  return device.keep_unknown();
}

Expected<void> read_arguments(Fields& fields, T1File& t1) {
  VYRE_TRY(const auto node, fields.find("Arguments"));
  if (!node) return {};
  VYRE_TRY(const std::vector<JsonNode> elements, node->elements());
  VYRE_TRY_VOID(check_count(*node, kMostParts));
  for (const JsonNode& element : elements) {
    VYRE_TRY(ArgumentSpecification argument, read_argument(element, t1));
    t1.kernel.arguments.push_back(std::move(argument));
  }
  return {};
}

}  // namespace

Expected<void> read_kernel_specification(const JsonNode& node, T1File& t1) {
  Fields fields(node, t1);
  KernelSpecification& kernel = t1.kernel;
  VYRE_TRY_VOID(fields.at("Language"));
  VYRE_TRY_VOID(fields.word("Language", kLanguages, kernel.language));
  VYRE_TRY_VOID(fields.required_text("KernelName", kernel.kernel_name));
  VYRE_TRY_VOID(fields.required_text("KernelFile", kernel.kernel_file));
  VYRE_TRY_VOID(fields.text("BenchmarkName", kernel.benchmark_name));
  VYRE_TRY_VOID(fields.texts("KernelTypeNames", kernel.kernel_type_names));
  VYRE_TRY_VOID(fields.texts("CompilerOptions", kernel.compiler_options));
  VYRE_TRY_VOID(fields.flag("Profiling", kernel.profiling));
  VYRE_TRY_VOID(fields.text("SimulationInput", kernel.simulation_input));
  std::optional<std::int64_t> shared_memory_bytes;
  VYRE_TRY_VOID(fields.integer("SharedMemory", shared_memory_bytes));
  kernel.shared_memory_bytes = shared_memory_bytes.value_or(0);
  VYRE_TRY_VOID(fields.texts("ProblemSizeNames", kernel.problem_size_names));
  VYRE_TRY_VOID(read_sizes(fields, t1));
  VYRE_TRY_VOID(read_problem_size(fields, t1));
  VYRE_TRY_VOID(read_metrics(fields, t1));
  VYRE_TRY_VOID(read_device(fields, t1));
  VYRE_TRY_VOID(read_arguments(fields, t1));
  VYRE_TRY_VOID(fields.find("ReferenceArguments"));
  VYRE_TRY_VOID(fields.find("ReferenceData"));
  VYRE_TRY_VOID(read_references(node, t1));
  return fields.keep_unknown();
}

}  // namespace vyre::recording
