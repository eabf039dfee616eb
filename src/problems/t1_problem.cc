#include "problems/t1_problem.h"

#include <algorithm>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/memory.h"
#include "base/text.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "problems/fill.h"
#include "problems/signature.h"
#include "problems/t1_asked.h"
#include "problems/t1_program.h"
#include "problems/t1_space.h"
#include "vyre/space.h"

namespace vyre {
namespace {

using Role = T1Argument::Role;

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

class T1Maker {
 public:
  T1Maker(const recording::T1File& t1, std::string_view text, const std::filesystem::path& folder)
      : t1_(t1), kernel_(t1.kernel), text_(text), folder_(folder), warnings_(t1.warnings) {}

  Expected<Problem> run(const ProblemSizes& wanted) {
    VYRE_TRY(const ir::Language language, language_of(kernel_));
    VYRE_TRY(sizes_, problem_sizes(kernel_, wanted));
    VYRE_TRY_VOID(check_size_names(t1_, sizes_));
    VYRE_TRY(arguments_, arguments_of(t1_, language, sizes_));
    find_symbols(text_, language, arguments_);
    VYRE_TRY_VOID(check_signature(text_, language, kernel_.kernel_name, arguments_));
    VYRE_TRY(const space::Space space, space_of(t1_, sizes_));
    VYRE_TRY(const Default start, default_configuration(t1_, space));
    const Config untuned = space.config_at(start.index);
    VYRE_TRY(T1Program made,
             program_of(kernel_, {text_, language}, arguments_, sizes_, space, untuned));
    warn(start.warnings);
    warn(grid_warnings(kernel_, sizes_, untuned));
    warn(made.warnings);
    VYRE_TRY_VOID(fill(made.program));
    VYRE_TRY(ir::Sequence sequence, ir::Sequence::make(std::move(made.program)));
    Problem out{.name = name(), .sequence = std::move(sequence), .space = space};
    out.default_index = start.index;
    VYRE_TRY(out.asked, asked_of(t1_, out.space.size(), warnings_));
    finish(out);
    VYRE_TRY_VOID(add_metrics(out));
    return out;
  }

 private:
  void warn(const std::vector<std::string>& more) {
    warnings_.insert(warnings_.end(), more.begin(), more.end());
  }

  // Messages begin with it, so it is fit for a line.
  std::string name() const {
    const auto& given = t1_.general.benchmark_name;
    const auto& own = kernel_.benchmark_name;
    return quote_if_odd(!given.empty() ? given : !own.empty() ? own : kernel_.kernel_name);
  }

  Expected<void> fill(const ir::Program& program) {
    auto known = ir::default_bits(program.symbols);
    for (std::size_t k = 0; k < program.symbols.size(); ++k) {
      const auto it = std::ranges::find(sizes_, program.symbols[k].name, &NamedSize::name);
      if (it != sizes_.end()) known[k] = it->value;
    }
    for (const NamedSize& size : sizes_) scalars_.emplace_back(size.name, size.value);
    for (const T1Argument& argument : arguments_) {
      if (argument.role == Role::scalar) VYRE_TRY_VOID(fill_scalar(argument));
      if (argument.role == Role::buffer) VYRE_TRY_VOID(fill_buffer(program, argument, known));
    }
    return {};
  }

  Expected<void> fill_scalar(const T1Argument& argument) {
    const auto& value = argument.given.fill_value;
    if (!value) {
      return bad_inputs("argument {}: a scalar needs a FillValue", quote(argument.given.name));
    }
    scalars_.emplace_back(argument.name, lane_bits(argument.type, *value));
    return {};
  }

  Expected<void> fill_buffer(const ir::Program& program, const T1Argument& argument,
                             ir::SymbolBits known) {
    const recording::ArgumentSpecification& given = argument.given;
    const auto it = std::ranges::find(program.buffers, argument.name, &ir::Buffer::name);
    const std::uint64_t length = ir::fold(program, it->length, known).value_or(0);
    const bool is_exact = ir::folds_exactly(program, it->length, known);
    if (length == 0 || !is_exact || length > kMostDataBytes / ir::element_bytes(*it)) {
      return bad_inputs("argument {}: Size {} must give 1 element to 2 GiB of them, with {}",
                        quote(given.name), quote(given.size), to_string(sizes_));
    }
    VYRE_TRY_VOID(check_memory("argument " + quote(given.name), length * ir::element_bytes(*it)));
    const std::uint64_t elements = length / elements_of(argument.type).each;
    if (ir::takes_input(it->access)) {
      VYRE_TRY(Filled input, filled(given, argument.type, elements, folder_));
      inputs_.push_back(std::move(input.bytes));
      input_origins_.push_back(std::move(input.origin));
      random_.push_back(given.fill_type == "Random");
    }
    return ir::gives_output(it->access) ? fill_reference(argument, elements) : Expected<void>();
  }

  Expected<void> fill_reference(const T1Argument& argument, std::uint64_t elements) {
    opaque_.push_back(elements_of(argument.type).meaning);
    reference_.emplace_back();
    reference_origins_.emplace_back();
    const auto it = std::ranges::find(kernel_.references, argument.given.name,
                                      &recording::Reference::target_name);
    if (it == kernel_.references.end()) return {};
    VYRE_TRY(Filled expected, filled(it->data, argument.type, elements, folder_));
    reference_.back() = std::move(expected.bytes);
    reference_origins_.back() = std::move(expected.origin);
    const std::string& method = it->validation_method;
    const bool is_relative = method == "SideBySideRelativeComparison";
    if (!is_relative && !method.empty() && method != "SideBySideComparison" &&
        method != "AbsoluteDifference") {
      return bad_inputs(
          "reference of {}: vyre has no ValidationMethod {}; judge with --verify, or use "
          "SideBySideComparison or "
          "SideBySideRelativeComparison with a ValidationThreshold",
          quote(argument.given.name), quote(method));
    }
    if (!it->validation_threshold) return {};
    tolerance_ = is_relative ? Tolerance{0, *it->validation_threshold}
                             : Tolerance{*it->validation_threshold, 0};
    return {};
  }

  void finish(Problem& out) {
    out.inputs = std::make_shared<const Outputs>(std::move(inputs_));
    out.random_inputs = std::move(random_);
    out.arguments = std::move(scalars_);
    const bool has_any = std::ranges::any_of(reference_, [](const auto& r) { return !r.empty(); });
    if (has_any) out.reference = std::make_shared<const Outputs>(std::move(reference_));
    if (has_any) out.reference_origins = std::move(reference_origins_);
    out.input_origins = std::move(input_origins_);
    out.opaque_outputs = std::move(opaque_);
    out.tolerance = tolerance_;
    for (const NamedSize& size : sizes_) out.sizes[size.name] = size.value;
    out.warnings = std::move(warnings_);
  }

  Expected<void> add_metrics(Problem& out) const {
    std::vector<std::string> names{"time_ms"};
    for (const space::Parameter& p : out.space.parameters()) names.push_back(p.name);
    for (const NamedSize& size : sizes_) names.push_back(size.name);
    for (const auto& [name, expression] : kernel_.metrics) {
      const std::string text = with_size_names(expression, sizes_);
      const auto compiled = space::Expression::compile(text, names);
      if (!compiled) return bad_inputs("Metrics: {}: {}", quote(name), compiled.error().message);
      out.metrics.push_back({name, text});
    }
    return {};
  }

  const recording::T1File& t1_;
  const recording::KernelSpecification& kernel_;
  std::string_view text_;
  const std::filesystem::path& folder_;
  std::vector<std::string> warnings_;
  std::vector<NamedSize> sizes_;
  std::vector<T1Argument> arguments_;
  Outputs inputs_;
  std::vector<Origin> input_origins_;
  std::vector<bool> random_;
  Outputs reference_;
  std::vector<Origin> reference_origins_;
  std::vector<Opaque> opaque_;
  std::vector<std::pair<std::string, std::uint64_t>> scalars_;
  Tolerance tolerance_;
};

}  // namespace

Expected<ir::Language> language_of(const recording::KernelSpecification& kernel) {
  if (kernel.language == "OpenCL") return ir::Language::opencl_c;
  if (kernel.language == "CUDA") return ir::Language::cuda;
  if (kernel.language == "HIP") return ir::Language::hip;
  if (kernel.language == "Vulkan") return ir::Language::glsl;
  for (const std::string_view known : {"OpenCL", "CUDA", "HIP", "Vulkan"}) {
    if (!equal_ignoring_case(kernel.language, known)) continue;
    return bad_inputs("Language: {} is written \"{}\"", quote(kernel.language), known);
  }
  return bad_inputs(
      "its kernel is written in {}; vyre runs OpenCL C, CUDA C++, HIP C++ and GLSL: port the "
      "kernel, "
      "and set Language to \"OpenCL\", \"CUDA\", \"HIP\" or \"Vulkan\"",
      quote(kernel.language));
}

Expected<Problem> problem_of_t1(const recording::T1File& t1, std::string_view kernel_text,
                                const std::filesystem::path& folder, const ProblemSizes& sizes) {
  return T1Maker(t1, kernel_text, folder).run(sizes);
}

}  // namespace vyre
