#include "tuner/problems/t1_problem.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "ir/fold.h"
#include "ir/ops.h"
#include "tuner/problems/fill.h"
#include "tuner/problems/problem_sizes.h"
#include "tuner/problems/signature.h"
#include "tuner/problems/size_expression.h"
#include "tuner/problems/t1_space.h"

namespace vyre::tuner {
namespace {

constexpr std::size_t kMostSourceBytes = 16U << 20U;

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

ir::Scalar scalar_type(const T1Type& type) {
  if (type.kind == T1Type::Kind::real) return type.bytes == 4 ? ir::f32 : ir::u64;
  if (type.bytes == 8) return type.kind == T1Type::Kind::whole ? ir::i64 : ir::u64;
  return ir::u32;
}

// The element of a buffer, and how many of them one of T1's is.
struct Elements {
  ir::ElementType type;
  std::uint32_t each = 1;
  Opaque meaning = Opaque::bits;
};

Elements elements_of(const T1Type& type) {
  using Kind = T1Type::Kind;
  if (type.kind == Kind::real && type.bytes == 4) return {ir::f32, type.lanes};
  if (type.kind == Kind::real) {
    return {ir::opaque(type.bytes), type.lanes, type.bytes == 2 ? Opaque::f16 : Opaque::f64};
  }
  const bool is_whole = type.kind == Kind::whole;
  if (type.kind != Kind::custom && type.bytes == 4) return {is_whole ? ir::i32 : ir::u32};
  if (type.kind != Kind::custom && type.bytes == 8) return {is_whole ? ir::i64 : ir::u64};
  return {ir::opaque(type.bytes)};
}

ir::Access access_of(const fair::Argument& argument) {
  if (argument.access_type == "ReadOnly") return ir::Access::read;
  const bool starts_as_zeros = argument.fill_value.value_or(0) == 0 &&
                               (argument.fill_type.empty() || argument.fill_type == "Constant");
  const bool is_write_only = argument.access_type == "WriteOnly" && starts_as_zeros;
  return is_write_only ? ir::Access::write : ir::Access::read_write;
}

}  // namespace

namespace {

class Maker {
 public:
  Maker(const fair::Problem& t1, std::string_view text, const std::filesystem::path& folder)
      : t1_(t1), kernel_(t1.kernel), text_(text), folder_(folder), arguments_(kernel_.arguments) {}

  Expected<Problem> run(const ProblemSizes& wanted) {
    VYRE_TRY(sizes_, problem_sizes(kernel_, wanted));
    VYRE_TRY_VOID(prepare_arguments());
    VYRE_TRY_VOID(check_signature(text_, kernel_.kernel_name, arguments_, types_));
    VYRE_TRY(const space::Space space, space_of(t1_, sizes_));
    VYRE_TRY(Default start, default_configuration(t1_, space));
    warnings_ = t1_.warnings;
    warnings_.insert(warnings_.end(), start.warnings.begin(), start.warnings.end());
    VYRE_TRY(ir::Program program, make_program(space, space.config_at(start.index)));
    VYRE_TRY_VOID(fill(program));
    VYRE_TRY(ir::Sequence sequence, ir::Sequence::make(std::move(program)));
    Problem out{.name = name(), .sequence = std::move(sequence), .space = space};
    out.default_index = start.index;
    finish(out);
    return out;
  }

 private:
  std::string name() const {
    if (!t1_.general.benchmark_name.empty()) return t1_.general.benchmark_name;
    return kernel_.benchmark_name.empty() ? kernel_.kernel_name : kernel_.benchmark_name;
  }

  Expected<void> prepare_arguments() {
    for (std::size_t k = 0; k < arguments_.size(); ++k) {
      fair::Argument& argument = arguments_[k];
      if (argument.name.empty()) argument.name = fmt::format("argument_{}", k);
      // Two buffers of random data should not be the same data.
      if (!argument.random_seed) argument.random_seed = static_cast<std::int64_t>(k);
      VYRE_TRY(const T1Type type, find_type(argument));
      types_.push_back(type);
      if (argument.memory_type == "Vector" || argument.memory_type == "Local") continue;
      VYRE_TRY_VOID(check_scalar(argument, type));
    }
    return {};
  }

  bool is_size(const fair::Argument& argument) const {
    return std::ranges::find(sizes_, argument.name, &NamedSize::name) != sizes_.end();
  }

  Expected<void> check_scalar(const fair::Argument& argument, const T1Type& type) const {
    if (argument.memory_type != "Scalar") {
      return bad_inputs("argument {}: OpenCL has no memory of type {}; use Vector, Scalar or Local",
                        quote(argument.name), quote(argument.memory_type));
    }
    if (type.lanes > 1 || type.kind == T1Type::Kind::custom) {
      return bad_inputs("argument {}: a scalar cannot be a {}; pass it as a Vector of one",
                        quote(argument.name), type.name);
    }
    const bool is_int = type.kind != T1Type::Kind::real && type.bytes == 4;
    if (!is_size(argument) || is_int) return {};
    return bad_inputs(
        "argument {} is a problem size, passed as 32 bits; make it an int32 or "
        "uint32, or give it another name",
        quote(argument.name));
  }

  // -- the program --

  Expected<ir::Program> make_program(const space::Space& space, const Config& defaults) {
    for (const space::Parameter& parameter : space.parameters()) {
      VYRE_TRY(const ir::Scalar type, tunable_type(parameter));
      tunables_.push_back({&parameter, type, *defaults.find(parameter.name)});
    }
    ir::Source source{.text = std::string(text_),
                      .entry = kernel_.kernel_name,
                      .options = compiler_options(),
                      .arguments = source_arguments()};
    Expected<void> declared;
    auto program = ir::from_source(kernel_.kernel_name, std::move(source),
                                   [&](ir::Builder& b) { declared = declare(b); });
    VYRE_TRY_VOID(std::move(declared));
    return program;
  }

  // Files written for another compiler name options of that one.
  std::string compiler_options() {
    std::string out;
    for (const std::string& option : kernel_.compiler_options) {
      const bool is_ours = option.starts_with("-cl-") || option.starts_with("-D") ||
                           option.starts_with("-I") || option.starts_with("-w");
      if (!is_ours) {
        warnings_.push_back(
            fmt::format("compiler option {} is none of OpenCL's and is left out", quote(option)));
        continue;
      }
      out += (out.empty() ? "" : " ") + option;
    }
    return out;
  }

  std::vector<ir::Source::Argument> source_arguments() const {
    std::vector<ir::Source::Argument> out;
    for (std::size_t k = 0; k < arguments_.size(); ++k) {
      const bool is_narrow = arguments_[k].memory_type == "Scalar" && types_[k].bytes < 4;
      out.push_back({arguments_[k].name, is_narrow ? types_[k].bytes : 0});
    }
    return out;
  }

  Expected<void> declare(ir::Builder& b) {
    declare_tunables(b);
    for (const NamedSize& size : sizes_)
      names_[size.name] = {.value = b.shape(size.name), .least = 1};
    for (std::size_t k = 0; k < arguments_.size(); ++k) {
      const fair::Argument& argument = arguments_[k];
      if (argument.memory_type == "Scalar") {
        if (!is_size(argument)) b.scalar(scalar_type(types_[k]), argument.name);
        continue;
      }
      VYRE_TRY_VOID(declare_array(b, argument, types_[k]));
    }
    std::array<ir::Value, 3> local;
    std::array<ir::Value, 3> groups;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      // The workgroup is fixed before the sizes are known to the compiler.
      VYRE_TRY(local[axis], sized(b, "LocalSize", axis, tunable_names_,
                                  with_size_values(kernel_.local_size[axis], sizes_)));
      VYRE_TRY(groups[axis],
               sized(b, "GlobalSize", axis, names_, groups_of(kernel_, axis, sizes_)));
    }
    b.workgroup(local[0], local[1], local[2]);
    b.grid(groups[0], groups[1], groups[2]);
    return {};
  }

  static Expected<ir::Value> sized(ir::Builder& b, std::string_view field, std::size_t axis,
                                   const SizeNames& names, const std::string& text) {
    auto out = to_size(b, text, names);
    if (out) return out;
    return bad_inputs("{}.{}: {}", field, "XYZ"[axis], out.error().message);
  }

  void declare_tunables(ir::Builder& b) {
    for (const Tunable& tunable : tunables_) {
      SizeName size{.type = tunable.type, .values = tunable.parameter->values};
      const auto tunable_of = [&](const auto& value) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
          size.value = b.tunable(tunable.type, tunable.parameter->name, value);
        }
      };
      std::visit(tunable_of, tunable.initial);
      for (const Value& value : size.values) {
        if (const auto* i = std::get_if<std::int64_t>(&value))
          size.least = std::min(size.least, *i);
      }
      names_[tunable.parameter->name] = size;
    }
    tunable_names_ = names_;
  }

  // What a configuration does not change; a length of local memory may differ between them.
  Expected<void> declare_array(ir::Builder& b, const fair::Argument& argument, const T1Type& type) {
    const Elements elements = elements_of(type);
    const std::string written = argument.size.empty() ? "1" : argument.size;
    const bool is_local = argument.memory_type == "Local";
    const std::string text = fmt::format(
        "{}", is_local ? with_size_values(written, sizes_) : with_size_names(written, sizes_));
    const std::string scaled =
        elements.each == 1 ? text : fmt::format("({}) * {}", text, elements.each);
    const auto length = to_size(b, scaled, is_local ? tunable_names_ : fixed_names());
    if (!length) {
      return bad_inputs("argument {}: Size: {}", quote(argument.name), length.error().message);
    }
    if (is_local) {
      b.local(elements.type, argument.name, *length);
      return {};
    }
    switch (access_of(argument)) {
      case ir::Access::read:
        b.read(elements.type, argument.name, *length);
        break;
      case ir::Access::write:
        b.write(elements.type, argument.name, *length);
        break;
      default:
        b.read_write(elements.type, argument.name, *length);
    }
    return {};
  }

  // Data is made once for all configurations: a parameter counts only if it has one value, or as
  // max(p) and min(p).
  SizeNames fixed_names() const {
    SizeNames out = names_;
    for (auto& [name, size] : out) {
      if (size.values.size() > 1) size.type = ir::f32;
    }
    return out;
  }

  // -- the data --

  Expected<void> fill(const ir::Program& program) {
    auto known = ir::default_bits(program.symbols);
    for (std::size_t k = 0; k < program.symbols.size(); ++k) {
      const auto it = std::ranges::find(sizes_, program.symbols[k].name, &NamedSize::name);
      if (it != sizes_.end()) known[k] = it->value;
    }
    for (std::size_t k = 0; k < arguments_.size(); ++k) {
      if (arguments_[k].memory_type == "Scalar") {
        VYRE_TRY_VOID(fill_scalar(arguments_[k], types_[k]));
      } else if (arguments_[k].memory_type == "Vector") {
        VYRE_TRY_VOID(fill_buffer(program, k, known));
      }
    }
    for (const NamedSize& size : sizes_) scalars_.emplace_back(size.name, size.value);
    return {};
  }

  Expected<void> fill_scalar(const fair::Argument& argument, const T1Type& type) {
    if (is_size(argument)) return {};
    if (!argument.fill_value) {
      return bad_inputs("argument {}: a scalar needs a FillValue", quote(argument.name));
    }
    scalars_.emplace_back(argument.name, lane_bits(type, *argument.fill_value));
    return {};
  }

  Expected<void> fill_buffer(const ir::Program& program, std::size_t k, ir::SymbolBits known) {
    const fair::Argument& argument = arguments_[k];
    const auto it = std::ranges::find(program.buffers, argument.name, &ir::Buffer::name);
    const std::uint64_t length = ir::fold(program, it->length, known).value_or(0);
    if (length == 0 || !ir::folds_exactly(program, it->length, known)) {
      return bad_inputs("argument {}: Size {} gives {} elements; give one that is above 0 and fits",
                        quote(argument.name), quote(argument.size), length);
    }
    const std::uint64_t elements = length / elements_of(types_[k]).each;
    if (ir::takes_input(it->access)) {
      VYRE_TRY(inputs_.emplace_back(), filled(argument, types_[k], elements, folder_));
    }
    if (!ir::gives_output(it->access)) return {};
    opaque_.push_back(elements_of(types_[k]).meaning);
    return fill_reference(argument, types_[k], elements);
  }

  Expected<void> fill_reference(const fair::Argument& argument, const T1Type& type,
                                std::uint64_t elements) {
    auto& bytes = reference_.emplace_back();
    const auto it =
        std::ranges::find(kernel_.references, argument.name, &fair::Reference::target_name);
    if (it == kernel_.references.end()) return {};
    VYRE_TRY(bytes, filled(it->data, type, elements, folder_));
    if (!it->validation_threshold) return {};
    const bool is_relative = it->validation_method == "SideBySideRelativeComparison";
    tolerance_ = is_relative ? Tolerance{0, *it->validation_threshold}
                             : Tolerance{*it->validation_threshold, 0};
    return {};
  }

  void finish(Problem& out) {
    out.inputs = std::make_shared<const backend::Outputs>(std::move(inputs_));
    out.arguments = std::move(scalars_);
    const bool has_any = std::ranges::any_of(reference_, [](const auto& r) { return !r.empty(); });
    if (has_any) out.reference = std::make_shared<const backend::Outputs>(std::move(reference_));
    out.opaque_outputs = std::move(opaque_);
    out.tolerance = tolerance_;
    for (const auto& [name, expression] : kernel_.metrics) {
      out.metrics.push_back({name, with_size_names(expression, sizes_)});
    }
    for (const NamedSize& size : sizes_) out.sizes[size.name] = size.value;
    out.warnings = std::move(warnings_);
  }

  struct Tunable {
    const space::Parameter* parameter;
    ir::Scalar type;
    Value initial;
  };

  const fair::Problem& t1_;
  const fair::KernelSpecification& kernel_;
  std::string_view text_;
  const std::filesystem::path& folder_;
  std::vector<fair::Argument> arguments_;
  std::vector<T1Type> types_;
  std::vector<NamedSize> sizes_;
  std::vector<Tunable> tunables_;
  SizeNames names_;
  SizeNames tunable_names_;
  backend::Outputs inputs_;
  backend::Outputs reference_;
  std::vector<Opaque> opaque_;
  std::vector<std::pair<std::string, std::uint64_t>> scalars_;
  Tolerance tolerance_;
  std::vector<std::string> warnings_;
};

Expected<void> check_language(const fair::KernelSpecification& kernel) {
  if (kernel.language == "OpenCL") return {};
  return bad_inputs(
      "its kernel is written in {}; vyre runs OpenCL C: port the kernel, and set "
      "Language to \"OpenCL\"",
      quote(kernel.language));
}

}  // namespace

Expected<Problem> problem_of_t1(const fair::Problem& t1, std::string_view kernel_text,
                                const std::filesystem::path& folder, const ProblemSizes& sizes) {
  VYRE_TRY_VOID(check_language(t1.kernel));
  return Maker(t1, kernel_text, folder).run(sizes);
}

Expected<Problem> load_problem(const std::filesystem::path& t1_file, const ProblemSizes& sizes) {
  VYRE_TRY(const fair::Problem t1, fair::read_t1(t1_file));
  const auto in_file = [&](const Error& error) {
    return bad_inputs("{}: {}", quote(t1_file.native()), error.message);
  };
  if (auto language = check_language(t1.kernel); !language) return in_file(language.error());
  const std::filesystem::path source = t1_file.parent_path() / t1.kernel.kernel_file;
  const auto text = read_file(source, kMostSourceBytes);
  if (!text) {
    return bad_inputs("{}: KernelFile: {}; it is looked for beside the T1 file",
                      quote(t1_file.native()), text.error().message);
  }
  auto problem = problem_of_t1(t1, *text, t1_file.parent_path(), sizes);
  if (!problem) return in_file(problem.error());
  return problem;
}

}  // namespace vyre::tuner
