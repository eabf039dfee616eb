#include "emit/glsl/glsl_dialect.h"

#include <fmt/format.h>

#include "emit/glsl/glsl_prelude.h"
#include "emit/glsl/glsl_words.h"

namespace vyre::emit::glsl_dialect {
namespace {

using ir::Op;

constexpr std::array kOperations{
    OpSpelling{Op::and_, TypeFamily::boolean, "($0 && $1)"},
    OpSpelling{Op::or_, TypeFamily::boolean, "($0 || $1)"},
    OpSpelling{Op::xor_, TypeFamily::boolean, "($0 != $1)"},
    OpSpelling{Op::bitcast, TypeFamily::integer, "$C(floatBitsToUint($0))"},
    OpSpelling{Op::bitcast, TypeFamily::real, "uintBitsToFloat(uint($0))"},
    OpSpelling{Op::mulhi, TypeFamily::integer, "vyre_mulhi_$T($0, $1)"},
    OpSpelling{Op::popcount, TypeFamily::integer, "vyre_popcount_$T($0)"},
    OpSpelling{Op::clz, TypeFamily::integer, "vyre_clz_$T($0)"},
    OpSpelling{Op::min, TypeFamily::integer, "min($0, $1)"},
    OpSpelling{Op::max, TypeFamily::integer, "max($0, $1)"},
    OpSpelling{Op::abs, TypeFamily::real, "abs($0)"},
    OpSpelling{Op::fma, TypeFamily::real, "vyre_fma_$T($0, $1, $2)"},
    OpSpelling{Op::rsqrt, TypeFamily::real, "inversesqrt($0)"},
    OpSpelling{Op::log, TypeFamily::real, "vyre_log_$T($0)"},
    OpSpelling{Op::log2, TypeFamily::real, "vyre_log2_$T($0)"},
    OpSpelling{Op::sin, TypeFamily::real, "vyre_sin_$T($0)"},
    OpSpelling{Op::cos, TypeFamily::real, "vyre_cos_$T($0)"},
    OpSpelling{Op::floor, TypeFamily::real, "floor($0)"},
    OpSpelling{Op::ceil, TypeFamily::real, "ceil($0)"},
    OpSpelling{Op::trunc, TypeFamily::real, "trunc($0)"},
    OpSpelling{Op::round, TypeFamily::real, "roundEven($0)"},
    OpSpelling{Op::is_nan, TypeFamily::real, "vyre_is_nan_$T($0)"},
};

constexpr std::string_view kHead =
    "#version 460\n"
    "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : enable\n"
    "#extension GL_EXT_control_flow_attributes : enable\n"
    "#extension GL_EXT_null_initializer : enable\n"
    "#extension GL_KHR_memory_scope_semantics : enable\n"
    "#ifdef VYRE_FLOAT_CONTROLS\n"
    "#extension GL_EXT_spirv_intrinsics : require\n"
    "// SignedZeroInfNanPreserve for 32 bits\n"
    "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [4466], 4461, "
    "32);\n"
    "#endif\n";

// Without `coherent`, a write need not be seen by others behind a barrier.
std::string declarations(const KernelParts& parts) {
  std::string out;
  for (std::size_t k = 0; k < parts.buffers.size(); ++k) {
    const BufferParameter& b = parts.buffers[k];
    const std::string_view how =
        b.is_read_only ? "readonly " : (parts.has_barrier ? "coherent " : "");
    out += fmt::format(
        "layout(set = 0, binding = {}, std430) restrict {}buffer vyre_buffer_{} {{ {} {}[]; }};\n",
        k, how, k, b.element, b.name);
  }
  out +=
      "layout(push_constant) uniform vyre_values {\n"
      "  uvec4 vyre_first_group;\n"
      "  uvec4 vyre_groups;\n";
  for (const ValueParameter& v : parts.values) out += fmt::format("  {} {};\n", v.type, v.name);
  return out + "};\n";
}

// The ids that the body asks for.
std::string ids(const std::string& body) {
  std::string out;
  const bool global = body.contains("vyre_global_id");
  if (global || body.contains("vyre_group_id")) {
    out += "  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;\n";
  }
  if (global) {
    out +=
        "  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;\n";
  }
  return out;
}

std::string kernel(const KernelParts& parts) {
  const auto& [x, y, z] = parts.workgroup;
  return fmt::format(
      "// program {}\nlayout(local_size_x = {}, local_size_y = {}, local_size_z = {}) in;\n{}{}"
      "\nvoid main() {{\n{}{}}}\n",
      parts.program, x, y, z, declarations(parts), parts.outside, ids(parts.body), parts.body);
}

}  // namespace

constexpr Dialect kDialect{
    .a_kernel = "a compute shader",
    .head = kHead,
    .reserved = kReserved,
    .literals = {.hexadecimal_floats = false, .float_of_bits = "uintBitsToFloat($0)"},
    .types = {"bool", "uint", "int", "uint64_t", "int64_t", "float"},
    .vector_types = {"", "uvec$W", "", "", "", "vec$W"},
    .index_type = {},
    .cast = "$C($0)",
    .bitcasts_by_family = true,
    .fold_reals = true,
    .vector = "$C($0)",
    .operations = kOperations,
    // Negative operands of % are undefined in GLSL.
    .mod_of_signed_is_own = true,
    .ids = {"vyre_global_id.$X", "gl_LocalInvocationID.$X", "vyre_group_id.$X",
            "(vyre_groups.$X * $S)", "gl_WorkGroupSize.$X", "vyre_groups.$X"},
    .spaces = {},
    .functions_per_buffer = true,
    .element_to_update = "$0[$1]",
    .atomics = {"atomicAdd", "atomicMin", "atomicMax", "atomicExchange", "atomicCompSwap"},
    .local_array = "shared $C $N[$L];",
    .local_array_is_outside = true,
    .private_array = "$C $N[$L] = {};",
    .private_array_is_outside = true,
    .wide_count_by_sum = true,  // glslang 12 adds a 1 of the other sign
    // A `const` with a constant value is a constant to the compiler, which folds it unrounded.
    .constant = "",
    .barrier =
        "controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | "
        "gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);",
    .local_barrier = "barrier();",
    // A count is for SPIR-V 1.4 and newer, and a hint only: [[unroll]] means the whole loop.
    .unroll = "[[partial_count($0)]]",
    .unroll_whole = "[[unroll]]",
    .kernel = kernel,
    .prelude = kPrelude,
};

}  // namespace vyre::emit::glsl_dialect
