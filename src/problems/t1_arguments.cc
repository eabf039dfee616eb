#include "problems/t1_arguments.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "ir/names.h"
#include "ir/source.h"

namespace vyre {
namespace {

using Role = T1Argument::Role;

Expected<Role> scalar_role(const recording::ArgumentSpecification& given, const T1Type& type,
                           ir::Language language, bool is_size) {
  if (given.memory_type != "Scalar") {
    if (language == ir::Language::glsl) {
      return bad_inputs("argument {}: Vulkan has no memory of type {}; use Vector or Scalar",
                        quote(given.name), quote(given.memory_type));
    }
    const bool has_symbols = ir::is_cuda_like(language);
    return bad_inputs("argument {}: {} has no memory of type {}; use Vector, Scalar{} Local",
                      quote(given.name), has_symbols ? "CUDA" : "OpenCL", quote(given.memory_type),
                      has_symbols ? ", Symbol or" : " or");
  }
  if (type.lanes > 1 || type.kind == T1Type::Kind::custom) {
    return bad_inputs("argument {}: a scalar cannot be a {}; pass it as a Vector of one",
                      quote(given.name), type.name);
  }
  if (!is_size) return Role::scalar;
  if (type.kind != T1Type::Kind::real && type.bytes == 4) return Role::size;
  return bad_inputs(
      "argument {} is a problem size, passed as 32 bits; make it an int32 or uint32, or give it "
      "another name",
      quote(given.name));
}

// T1 allows any name, and arguments go by their order.
std::string free_name(std::string name, std::set<std::string>& taken) {
  if (!ir::is_identifier(name)) name = "argument";
  while (ir::is_reserved(name) || taken.contains(name)) name += '_';
  taken.insert(name);
  return name;
}

// KTT calls constant memory a Symbol; Kernel Tuner writes a Vector with "MemType": "Constant".
void read_constant(recording::ArgumentSpecification& given) {
  const std::string& memory = given.memory_type;
  if (memory == "Symbol" || memory == "Constant") given.in_constant_memory = true;
  if (memory == "Scalar" || memory == "Local") given.in_constant_memory = false;
  if (!given.in_constant_memory) return;
  given.memory_type = "Vector";
  given.access_type = "ReadOnly";
}

// KTT passes a Symbol to a shader as it passes a scalar, since only CUDA has symbols.
void read_symbol(recording::ArgumentSpecification& given) {
  if (given.memory_type == "Symbol") given.memory_type = "Scalar";
}

T1Argument shared_memory(std::int64_t bytes, std::set<std::string>& taken) {
  recording::ArgumentSpecification given;
  given.name = "shared_memory";
  given.memory_type = "Local";
  given.size = fmt::format("{}", bytes);
  return {given, free_name(given.name, taken), {"int8", T1Type::Kind::whole, 1, 1}, Role::local};
}

}  // namespace

bool is_parameter(const T1Argument& argument, ir::Language language) {
  return !ir::is_cuda_like(language) ||
         (argument.role != T1Argument::Role::local && argument.symbol.empty());
}

Expected<std::vector<T1Argument>> arguments_of(const recording::T1File& t1, ir::Language language,
                                               const std::vector<NamedSize>& sizes) {
  std::vector<T1Argument> out;
  std::set<std::string> taken;
  for (const space::Parameter& parameter : t1.space.parameters) taken.insert(parameter.name);
  for (const NamedSize& size : sizes) taken.insert(size.name);
  for (const recording::ArgumentSpecification& argument : t1.kernel.arguments) {
    recording::ArgumentSpecification given = argument;
    if (given.name.empty()) given.name = fmt::format("argument_{}", out.size());
    // Two buffers of random data should not be the same data.
    if (!given.random_seed) given.random_seed = static_cast<std::int64_t>(out.size());
    if (ir::is_cuda_like(language)) read_constant(given);
    if (language == ir::Language::glsl) read_symbol(given);
    VYRE_TRY(const T1Type type, find_type(given));
    Role role = given.memory_type == "Local" ? Role::local : Role::buffer;
    if (role != Role::local && given.memory_type != "Vector") {
      const bool is_size = std::ranges::find(sizes, given.name, &NamedSize::name) != sizes.end();
      VYRE_TRY(role, scalar_role(given, type, language, is_size));
    }
    const std::string name = role == Role::size ? given.name : free_name(given.name, taken);
    out.push_back({std::move(given), name, type, role});
  }
  if (ir::is_cuda_like(language) && t1.kernel.shared_memory_bytes > 0) {
    out.push_back(shared_memory(t1.kernel.shared_memory_bytes, taken));
  }
  return out;
}

Elements elements_of(const T1Type& type) {
  if (type.kind == T1Type::Kind::real && type.bytes == 4) return {ir::f32, type.lanes};
  if (type.kind == T1Type::Kind::real) {
    return {ir::opaque(type.bytes), type.lanes, type.bytes == 2 ? Opaque::f16 : Opaque::f64};
  }
  const bool is_whole = type.kind == T1Type::Kind::whole;
  if (type.kind != T1Type::Kind::custom && type.bytes == 4) return {is_whole ? ir::i32 : ir::u32};
  if (type.kind != T1Type::Kind::custom && type.bytes == 8) return {is_whole ? ir::i64 : ir::u64};
  return {ir::opaque(type.bytes)};
}

ir::Scalar scalar_type(const T1Type& type) {
  if (type.kind == T1Type::Kind::real) return type.bytes == 4 ? ir::f32 : ir::u64;
  if (type.bytes == 8) return type.kind == T1Type::Kind::whole ? ir::i64 : ir::u64;
  return ir::u32;
}

ir::Access access_of(const recording::ArgumentSpecification& argument) {
  if (argument.access_type == "ReadOnly") return ir::Access::read;
  const bool starts_as_zeros = argument.fill_value.value_or(0) == 0 &&
                               (argument.fill_type.empty() || argument.fill_type == "Constant");
  const bool is_write_only = argument.access_type == "WriteOnly" && starts_as_zeros;
  return is_write_only ? ir::Access::write : ir::Access::read_write;
}

}  // namespace vyre
