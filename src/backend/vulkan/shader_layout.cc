#include "backend/vulkan/shader_layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/error.h"
#include "base/text.h"

namespace vyre::backend::vulkan {
namespace {

std::uint32_t rounded_up(std::uint32_t bytes, std::uint32_t to) {
  return (bytes + to - 1) / to * to;
}

// What a module may need and a device may lack. The numbers are SPIR-V's.
struct Capability {
  std::uint32_t number;
  std::string_view what;
  bool (*is_there)(const Features& features);
};
constexpr std::array kCapabilities{
    Capability{11, "64-bit integers", [](const Features& f) { return f.core.shaderInt64 != 0; }},
    Capability{12, "64-bit atomics",
               [](const Features& f) { return f.of_1_2.shaderBufferInt64Atomics != 0; }},
    Capability{10, "64-bit floats", [](const Features& f) { return f.core.shaderFloat64 != 0; }},
    Capability{9, "16-bit floats", [](const Features& f) { return f.of_1_2.shaderFloat16 != 0; }},
    Capability{22, "16-bit integers", [](const Features& f) { return f.core.shaderInt16 != 0; }},
    Capability{39, "8-bit integers", [](const Features& f) { return f.of_1_2.shaderInt8 != 0; }},
};

Expected<void> check_capabilities(const PipelineRequest& request, const SpirvInfo& info,
                                  const DeviceFacts& facts) {
  for (const std::uint32_t number : info.capabilities) {
    const auto* const it = std::ranges::find(kCapabilities, number, &Capability::number);
    if (it == kCapabilities.end() || it->is_there(facts.features)) continue;
    return rejected("{} uses {}, which the device does not have; use another device",
                    quote(request.name), it->what);
  }
  return {};
}

Expected<void> check_resources(const PipelineRequest& request, const SpirvInfo& info,
                               const DeviceFacts& facts) {
  for (const SpirvInfo::Resource& resource : info.resources) {
    if (!resource.is_storage_buffer) {
      return rejected("{}: {} is no storage buffer; a shader gets its data in buffers",
                      quote(request.name), quote(resource.name));
    }
    if (resource.set == 0 && resource.binding < request.buffers.size()) continue;
    return rejected(
        "{}: {} is at set {}, binding {}, but buffers are passed at set 0, bindings 0 to {}; make "
        "them agree",
        quote(request.name), quote(resource.name), resource.set, resource.binding,
        static_cast<std::int64_t>(request.buffers.size()) - 1);
  }
  if (request.buffers.size() <= facts.kernel_buffers) return {};
  return rejected("{}: {} buffers are more than the {} that a kernel of the device can use",
                  quote(request.name), request.buffers.size(), facts.kernel_buffers);
}

// A shader says where it wants its values.
Expected<void> place_as_declared(const PipelineRequest& request, const SpirvInfo& info,
                                 ShaderLayout& out) {
  if (info.push_constants.size() != request.values.size()) {
    return rejected("{}: the shader has {} push constants, {} are passed; make them agree",
                    quote(request.name), info.push_constants.size(), request.values.size());
  }
  for (std::size_t k = 0; k < request.values.size(); ++k) {
    const SpirvInfo::Member& member = info.push_constants[k];
    const NamedValue& value = request.values[k];
    if (member.bytes != value.bytes) {
      return rejected(
          "{}: {} with {} bytes does not fit the push constant {}, which has {}; make them agree",
          quote(request.name), quote(value.name), value.bytes, quote(member.name), member.bytes);
    }
    out.offsets.push_back(member.offset);
    out.push_bytes = std::max(out.push_bytes, member.offset + member.bytes);
  }
  return {};
}

void place_in_order(const PipelineRequest& request, ShaderLayout& out) {
  out.push_bytes = kGridBytes;
  for (const NamedValue& value : request.values) {
    out.offsets.push_back(rounded_up(out.push_bytes, value.bytes));
    out.push_bytes = out.offsets.back() + value.bytes;
  }
}

Expected<void> place_values(const PipelineRequest& request, const SpirvInfo& info,
                            const DeviceFacts& facts, ShaderLayout& out) {
  if (request.is_ours) {
    place_in_order(request, out);
  } else {
    VYRE_TRY_VOID(place_as_declared(request, info, out));
  }
  out.push_bytes = rounded_up(out.push_bytes, 4);
  const std::uint32_t most = std::min(facts.push_bytes, kMostPushBytes);
  if (out.push_bytes <= most) return {};
  return rejected(
      "{}: its shapes and scalars take {} bytes of push constants, more than the {} of the device; "
      "pass fewer values, or pass some in a buffer",
      quote(request.name), out.push_bytes, most);
}

Expected<void> check_shared_memory(const PipelineRequest& request, const SpirvInfo& info,
                                   const DeviceFacts& facts) {
  if (info.shared_bytes <= facts.shared_bytes) return {};
  return rejected("{}: {} bytes of shared memory are more than the {} of the device; use less",
                  quote(request.name), info.shared_bytes, facts.shared_bytes);
}

Expected<void> check_workgroup(const PipelineRequest& request, const SpirvInfo& info) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::uint32_t declared = info.workgroup[axis];
    if (declared == 0 || declared == request.workgroup[axis]) continue;
    return rejected(
        "{}: the shader's local size along {} is {}, but the workgroup has {}; use the macros "
        "VYRE_WORKGROUP_X, _Y and _Z, or constants (local_size_x_id)",
        quote(request.name), "xyz"[axis], declared, request.workgroup[axis]);
  }
  return {};
}

void add_constant(const SpirvInfo::Constant& constant, std::uint64_t bits, ShaderLayout& out) {
  std::array<std::uint8_t, 8> bytes{};
  std::memcpy(bytes.data(), &bits, sizeof(bits));
  out.entries.push_back({.constantID = constant.id,
                         .offset = static_cast<std::uint32_t>(out.constants.size()),
                         .size = constant.bytes});
  out.constants.insert(out.constants.end(), bytes.begin(), bytes.begin() + constant.bytes);
}

void specialise(const PipelineRequest& request, const SpirvInfo& info, ShaderLayout& out) {
  for (const SpirvInfo::Constant& constant : info.constants) {
    const auto tunable = std::ranges::find(request.tunables, constant.name, &TunableValue::name);
    if (tunable == request.tunables.end()) {
      if (constant.axis) add_constant(constant, request.workgroup[*constant.axis], out);
    } else if (constant.type != SpirvType::real) {
      add_constant(constant, tunable->bits, out);
    } else if (constant.bytes == sizeof(double)) {
      add_constant(constant, std::bit_cast<std::uint64_t>(tunable->number), out);
    } else {
      add_constant(constant, std::bit_cast<std::uint32_t>(static_cast<float>(tunable->number)),
                   out);
    }
  }
}

}  // namespace

Expected<ShaderLayout> lay_out(const PipelineRequest& request, const SpirvInfo& info,
                               const DeviceFacts& facts) {
  ShaderLayout out;
  VYRE_TRY_VOID(check_capabilities(request, info, facts));
  VYRE_TRY_VOID(check_resources(request, info, facts));
  VYRE_TRY_VOID(place_values(request, info, facts, out));
  VYRE_TRY_VOID(check_workgroup(request, info));
  VYRE_TRY_VOID(check_shared_memory(request, info, facts));
  specialise(request, info, out);
  return out;
}

}  // namespace vyre::backend::vulkan
