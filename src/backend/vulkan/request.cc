#include "backend/vulkan/request.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/text.h"
#include "ir/includes.h"

namespace vyre::backend::vulkan {
namespace {

Expected<std::pair<std::string, std::string>> definition_of(const std::string& name,
                                                            const std::string& option) {
  if (!option.starts_with("-D") || option.size() == 2) {
    return rejected("{}: the compiler of GLSL has no option {}; give definitions only, as -DN=64",
                    quote(name), quote(option));
  }
  const std::size_t sign = option.find('=');
  if (sign == std::string::npos) return std::pair(option.substr(2), std::string("1"));
  return std::pair(option.substr(2, sign - 2), option.substr(sign + 1));
}

TunableValue value_of(const ir::Symbol& symbol, std::uint64_t bits) {
  TunableValue out{.name = symbol.name, .bits = bits};
  switch (symbol.type) {
    case ir::Scalar::f32:
      out.number = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
      out.bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(out.number));
      break;
    case ir::Scalar::i32:
      out.number = static_cast<std::int32_t>(bits);
      break;
    case ir::Scalar::i64:
      out.number = static_cast<double>(static_cast<std::int64_t>(bits));
      break;
    default:
      out.number = static_cast<double>(bits);
  }
  return out;
}

Expected<void> add_parameter(const Parameter& parameter, PipelineRequest& out) {
  switch (parameter.kind) {
    case Parameter::Kind::buffer:
      out.buffers.push_back(parameter.name);
      return {};
    case Parameter::Kind::symbol:
      out.values.push_back({parameter.name, static_cast<std::uint32_t>(parameter.bytes)});
      return {};
    default:
      return rejected(
          "{}: {} cannot be passed to a shader; declare shared arrays and constants in its text",
          quote(out.name), quote(parameter.name));
  }
}

// KTT's shaders read the size of their workgroup from these macros.
void add_ktt_sizes(PipelineRequest& out) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string name = fmt::format("LOCAL_SIZE_{}", "XYZ"[axis]);
    const bool is_given = std::ranges::any_of(
        out.definitions, [&](const auto& definition) { return definition.first == name; });
    if (!is_given) out.definitions.emplace_back(name, std::to_string(out.workgroup[axis]));
  }
}

}  // namespace

Expected<PipelineRequest> request_for(
    const ir::Program& program, const Specialisation& specialisation, const KernelPlan& plan,
    const std::vector<std::pair<std::string, std::string>>& quirks) {
  PipelineRequest out{.name = program.name,
                      .file = program.name,
                      .text = plan.source.text,
                      .is_ours = !program.source,
                      .workgroup = specialisation.workgroup};
  for (const Parameter& parameter : plan.parameters) {
    VYRE_TRY_VOID(add_parameter(parameter, out));
  }
  if (!program.source) {
    out.definitions = quirks;
    return out;
  }
  if (!program.source->file.empty()) out.file = program.source->file;
  for (const std::string& option : ir::words_of_options(plan.source.options)) {
    VYRE_TRY(out.definitions.emplace_back(), definition_of(out.name, option));
  }
  add_ktt_sizes(out);
  for (std::size_t k = 0; k < program.symbols.size(); ++k) {
    if (program.symbols[k].kind != ir::SymbolKind::tunable) continue;
    out.tunables.push_back(value_of(program.symbols[k], specialisation.symbols[k]));
  }
  return out;
}

}  // namespace vyre::backend::vulkan
