#include "problems/t1_program.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <type_traits>

#include "base/error.h"
#include "base/text.h"
#include "ir/source.h"
#include "problems/compiler_options.h"
#include "problems/size_expression.h"
#include "problems/t1_space.h"

namespace vyre {
namespace {

using Role = T1Argument::Role;

// Whole numbers as the narrowest of u32, i32 and i64 that holds them all.
Expected<ir::Scalar> tunable_type(const space::Parameter& parameter) {
  std::optional<ir::Scalar> out;
  std::int64_t least = 0;
  std::int64_t most = 0;
  for (const Value& value : parameter.values) {
    ir::Scalar type = ir::u32;
    if (std::holds_alternative<bool>(value)) type = ir::boolean;
    if (const auto* d = std::get_if<double>(&value)) {
      type = ir::f32;
      if (static_cast<double>(static_cast<float>(*d)) != *d) {
        return bad_inputs("parameter {}: {} is no 32-bit float; use one, as 0.25, or whole numbers",
                          quote(parameter.name), vyre::to_string(value));
      }
    }
    if (const auto* i = std::get_if<std::int64_t>(&value)) {
      least = std::min(least, *i);
      most = std::max(most, *i);
    }
    if (std::holds_alternative<std::string>(value) || (out && *out != type)) {
      return bad_inputs(
          "parameter {}: {} cannot be a definition of the preprocessor beside the "
          "others; number the choices, and let the kernel choose with #if",
          quote(parameter.name), vyre::to_string(value));
    }
    out = type;
  }
  if (out != ir::u32) return out.value_or(ir::u32);
  if (least >= 0 && most <= std::numeric_limits<std::uint32_t>::max()) return ir::u32;
  const bool is_small = least >= std::numeric_limits<std::int32_t>::min() &&
                        most <= std::numeric_limits<std::int32_t>::max();
  return is_small ? ir::i32 : ir::i64;
}

SizeName declared(ir::Builder& b, const space::Parameter& parameter, ir::Scalar type,
                  const Value& untuned) {
  SizeName out{.type = type, .values = parameter.values};
  const auto declare = [&](const auto& value) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
      out.value = b.tunable(type, parameter.name, value);
    }
  };
  std::visit(declare, untuned);
  for (const Value& value : out.values) {
    if (const auto* i = std::get_if<std::int64_t>(&value)) out.least = std::min(out.least, *i);
  }
  if (type == ir::f32) out.why_not = "is a fraction; use a parameter of whole numbers";
  return out;
}

class Declarer {
 public:
  Declarer(ir::Builder& b, const recording::KernelSpecification& kernel,
           const std::vector<NamedSize>& sizes)
      : b_(b), kernel_(kernel), sizes_(sizes) {}

  Expected<void> run(const space::Space& space, const Config& untuned,
                     const std::vector<T1Argument>& arguments) {
    for (const space::Parameter& parameter : space.parameters()) {
      VYRE_TRY(const ir::Scalar type, tunable_type(parameter));
      names_[parameter.name] = declared(b_, parameter, type, *untuned.find(parameter.name));
    }
    tunables_ = names_;
    for (const NamedSize& size : sizes_) {
      names_[size.name] = {.value = b_.shape(size.name), .least = 1};
    }
    for (const T1Argument& argument : arguments) VYRE_TRY_VOID(declare(argument));
    return declare_launch();
  }

 private:
  Expected<void> declare(const T1Argument& argument) {
    if (argument.role == Role::size) return {};
    if (argument.role == Role::scalar) {
      b_.scalar(scalar_type(argument.type), argument.name);
      return {};
    }
    auto done = declare_array(argument);
    if (done) return {};
    return bad_inputs("argument {}: Size: {}", quote(argument.given.name), done.error().message);
  }

  Expected<void> declare_array(const T1Argument& argument) {
    const auto& [type, each, meaning] = elements_of(argument.type);
    const std::string& name = argument.name;
    if (argument.given.size.empty()) {
      return bad_inputs("it is missing; give the number of elements, as \"ProblemSize[0]\"");
    }
    std::string text = argument.given.size;
    if (each > 1) text = fmt::format("({}) * {}", text, each);
    if (argument.role == Role::local) {
      VYRE_TRY(const ir::Value length, to_size(b_, with_size_values(text, sizes_), tunables_));
      b_.local(type, name, length);
      return {};
    }
    VYRE_TRY(const ir::Value length, to_size(b_, with_size_names(text, sizes_), fixed_names()));
    const ir::Access access = access_of(argument.given);
    if (access == ir::Access::read) b_.read(type, name, length);
    if (access == ir::Access::write) b_.write(type, name, length);
    if (access == ir::Access::read_write) b_.read_write(type, name, length);
    return {};
  }

  // Data is made once for all configurations.
  SizeNames fixed_names() const {
    SizeNames out = names_;
    for (auto& [name, size] : out) {
      if (size.values.size() < 2) continue;
      size.why_not = "differs between configurations, but the data does not; write max(" + name +
                     ") for the largest";
    }
    return out;
  }

  Expected<void> declare_launch() {
    std::array<ir::Value, 3> local;
    std::array<ir::Value, 3> groups;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      // A workgroup's size is fixed when the kernel is compiled; problem sizes are known later.
      const std::string size = with_size_values(kernel_.local_size[axis], sizes_);
      VYRE_TRY(local[axis], sized("LocalSize", axis, size, tunables_));
      VYRE_TRY(groups[axis], sized("GlobalSize", axis, groups_of(kernel_, axis, sizes_), names_));
    }
    b_.workgroup(local[0], local[1], local[2]);
    b_.grid(groups[0], groups[1], groups[2]);
    return {};
  }

  Expected<ir::Value> sized(std::string_view field, std::size_t axis, const std::string& text,
                            const SizeNames& names) {
    auto out = to_size(b_, text, names);
    if (out) return out;
    return bad_inputs("{}.{}: {}", field, "XYZ"[axis], out.error().message);
  }

  ir::Builder& b_;
  const recording::KernelSpecification& kernel_;
  const std::vector<NamedSize>& sizes_;
  SizeNames names_;     // parameters and sizes
  SizeNames tunables_;  // parameters only
};

std::vector<ir::Source::Argument> passed(const std::vector<T1Argument>& arguments) {
  std::vector<ir::Source::Argument> out;
  for (const T1Argument& argument : arguments) {
    const bool is_narrow = argument.role == Role::scalar && argument.type.bytes < 4;
    out.push_back({argument.name, is_narrow ? argument.type.bytes : 0, argument.symbol});
  }
  return out;
}

// "scale<float, 4>" for a kernel with KernelTypeNames, as KTT writes the arguments of a template.
std::string entry_of(const recording::KernelSpecification& kernel, ir::Language language) {
  if (!ir::is_cuda_like(language) || kernel.kernel_type_names.empty()) return kernel.kernel_name;
  return fmt::format("{}<{}>", kernel.kernel_name, fmt::join(kernel.kernel_type_names, ", "));
}

}  // namespace

Expected<T1Program> program_of(const recording::KernelSpecification& kernel, const T1Source& given,
                               const std::vector<T1Argument>& arguments,
                               const std::vector<NamedSize>& sizes, const space::Space& space,
                               const Config& untuned) {
  T1Program out;
  ir::Source source{.language = given.language,
                    .text = std::string(given.text),
                    .entry = entry_of(kernel, given.language),
                    .options = compiler_options(kernel, given.language, out.warnings),
                    .arguments = passed(arguments),
                    .file = std::filesystem::path(kernel.kernel_file).filename().string()};
  const std::string name(ir::function_of(source.entry));
  Expected<void> declared;
  auto program = ir::from_source(name, std::move(source), [&](ir::Builder& b) {
    declared = Declarer(b, kernel, sizes).run(space, untuned, arguments);
  });
  VYRE_TRY_VOID(std::move(declared));
  VYRE_TRY(out.program, std::move(program));
  return out;
}

}  // namespace vyre
