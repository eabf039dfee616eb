#include "emit/opencl/language.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emit/c_like/names.h"
#include "ir/ops.h"

namespace vyre::emit::opencl {
namespace {

constexpr std::array<std::string_view, 6> kTypes{"bool", "uint", "int", "ulong", "long", "float"};

// Types, which also come with a vector width behind them.
constexpr std::array<std::string_view, 10> kVectorTypes{
    "uchar", "ushort", "uint", "ulong", "half", "char", "short", "long", "float", "double"};

// Keywords, types and built-in functions that no prefix below covers.
constexpr std::string_view kWords =
    " kernel global local constant private generic read_only write_only read_write pipe uniform "
    "size_t ptrdiff_t intptr_t uintptr_t event_t sampler_t quad complex imaginary barrier "
    "mem_fence prefetch vec_step printf NULL "
    "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos "
    "cosh cospi erfc erf exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp "
    "hypot ilogb ldexp lgamma lgamma_r log log2 log10 log1p logb mad maxmag minmag modf nan "
    "nextafter pow pown powr remainder remquo rint rootn round rsqrt sin sincos sinh sinpi sqrt "
    "tan tanh tanpi tgamma trunc abs abs_diff add_sat hadd rhadd clamp clz ctz mad_hi mad_sat max "
    "min mul_hi rotate sub_sat upsample popcount mad24 mul24 degrees mix radians step smoothstep "
    "sign cross dot distance length normalize fast_distance fast_length fast_normalize isequal "
    "isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan "
    "isnormal isordered isunordered signbit any all bitselect select shuffle shuffle2 ";

constexpr std::array<std::string_view, 21> kPrefixes{
    "get_",      "as_",   "convert_", "atomic_", "atom_", "native_", "half_",
    "async_",    "wait_", "vload",    "vstore",  "image", "read_",   "write_",
    "sub_group", "work_", "intel_",   "amd_",    "arm_",  "pocl",    "cl_"};

bool is_vector_type(std::string_view word) {
  const std::size_t end = word.find_last_not_of("0123456789");
  const std::string_view stem = word.substr(0, end + 1);
  return stem == "int" || std::ranges::find(kVectorTypes, stem) != kVectorTypes.end();
}

}  // namespace

std::string type_name(ir::Type type) {
  std::string name(kTypes[static_cast<std::size_t>(type.scalar)]);
  return type.width > 1 ? name + std::to_string(type.width) : name;
}

std::string_view unsigned_name(ir::Scalar type) {
  return ir::byte_size(type) == 8 ? "ulong" : "uint";
}

std::string_view space_of(ir::Access access) {
  if (access == ir::Access::local) return "local";
  return access == ir::Access::private_ ? "private" : "global";
}

std::string_view component(std::uint32_t index) {
  constexpr std::array<std::string_view, 4> names{".x", ".y", ".z", ".w"};
  return names[index];
}

Text id_text(std::uint32_t index) {
  constexpr std::array<std::string_view, ir::kIdKinds> functions{
      "get_global_id",   "get_local_id",   "get_group_id",
      "get_global_size", "get_local_size", "get_num_groups"};
  const std::string_view function = functions[static_cast<std::size_t>(ir::id_kind(index))];
  return cast_to("uint", {fmt::format("{}({})", function, ir::id_axis(index))});
}

bool is_reserved(std::string_view word) {
  if (is_reserved_in_c(word) || is_vector_type(word)) return true;
  for (const std::string_view prefix : kPrefixes) {
    if (word.starts_with(prefix)) return true;
  }
  return kWords.find(fmt::format(" {} ", word)) != std::string_view::npos;
}

}  // namespace vyre::emit::opencl
