#include "cli/tune_problem.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/tune_report.h"
#include "ir/ops.h"

namespace vyre::cli {
namespace {

struct Assignment {
  std::string name;
  std::string value;
};

Expected<Assignment> parse_assignment(const char* option, const std::string& text,
                                      const char* form) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && equals > 0 && equals + 1 < text.size()) {
    return Assignment{text.substr(0, equals), text.substr(equals + 1)};
  }
  return bad_inputs("{} {}: write it as {}", option, quote_path(text), form);
}

Expected<ProblemSizes> parse_sizes(const std::vector<std::string>& texts) {
  constexpr const char* kForm = "NAME=NUMBER, the number above 0";
  ProblemSizes sizes;
  for (const std::string& text : texts) {
    VYRE_TRY(const Assignment size, parse_assignment("--size", text, kForm));
    std::uint64_t value = 0;
    const char* end = size.value.data() + size.value.size();
    const auto [stop, code] = std::from_chars(size.value.data(), end, value);
    if (code != std::errc() || stop != end || value == 0) {
      return bad_inputs("--size {}: write it as {}", quote(text), kForm);
    }
    sizes[size.name] = value;
  }
  return sizes;
}

constexpr std::size_t kMostBytes = std::size_t{8} << 30U;  // of a file

std::size_t largest_input(const Problem& problem) {
  std::size_t most = 0;
  for (const auto& input : *problem.inputs) most = std::max(most, input.size());
  return most;
}

Expected<std::vector<std::byte>> read_bytes(const std::string& file, std::size_t most) {
  VYRE_TRY(const std::string text, read_named_file(file, std::min(most, free_memory_bytes() / 2)));
  const auto bytes = std::as_bytes(std::span(text));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

// Before the file is read, which may be large or may not be there.
Expected<void> check_buffer(const Problem& problem, const std::string& name,
                            bool (*counts)(ir::Access), std::string_view kind) {
  std::vector<std::string> names;
  for (const ir::Buffer& buffer : problem.sequence.def().buffers) {
    if (counts(buffer.access)) names.push_back(buffer.name);
  }
  if (std::ranges::find(names, name) != names.end()) return {};
  return bad_inputs("{}: there is no {} {}{}; there is {}", problem.name, kind, quote(name),
                    did_you_mean(name, names), fmt::join(names, ", "));
}

// For nodes, which have it under the same path.
Origin file_origin(const std::string& file) {
  return {.file = std::filesystem::absolute(file).string()};
}

Expected<void> add_own_data(const ProblemOptions& options, Problem& problem) {
  for (const std::string& text : options.inputs) {
    VYRE_TRY(const Assignment input, parse_assignment("--input", text, "NAME=FILE"));
    VYRE_TRY_VOID(check_buffer(problem, input.name, ir::takes_input, "input"));
    VYRE_TRY(auto bytes, read_bytes(input.value, largest_input(problem)));
    VYRE_TRY_VOID(set_input(problem, input.name, std::move(bytes), file_origin(input.value)));
  }
  for (const std::string& text : options.references) {
    VYRE_TRY(const Assignment output, parse_assignment("--reference", text, "NAME=FILE"));
    VYRE_TRY_VOID(check_buffer(problem, output.name, ir::gives_output, "output"));
    VYRE_TRY(auto bytes, read_bytes(output.value, kMostBytes));
    VYRE_TRY_VOID(set_reference(problem, output.name, std::move(bytes), file_origin(output.value)));
  }
  for (const std::string& name : options.ignored) VYRE_TRY_VOID(ignore_output(problem, name));
  for (const std::string& text : options.metrics) {
    VYRE_TRY(Assignment metric, parse_assignment("--metric", text, "NAME=EXPRESSION"));
    problem.metrics.push_back({std::move(metric.name), std::move(metric.value)});
  }
  if (options.absolute) problem.tolerance.absolute = *options.absolute;
  if (options.relative) problem.tolerance.relative = *options.relative;
  return check_metrics(problem);
}

// A number, true or false, as the type of the scalar will have it.
Expected<Value> parse_value(const std::string& option, const std::string& text) {
  if (text == "true" || text == "false") return Value(text == "true");
  const char* const end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto [stop, code] = std::from_chars(text.data(), end, whole);
      code == std::errc() && stop == end) {
    return Value(whole);
  }
  double real = 0;
  const auto [stop, code] = std::from_chars(text.data(), end, real);
  if (code == std::errc() && stop == end) return Value(real);
  return bad_inputs("--set {}: {} is no number, true or false", quote(option), quote(text));
}

Expected<Problem> load_own_chain(const std::string& file, const ProblemOptions& options,
                                 const ProblemSizes& sizes, const DeviceLimits& limits) {
  ChainOptions chain{.sizes = sizes, .fuse = options.fuse, .limits = limits};
  for (const std::string& text : options.sets) {
    VYRE_TRY(const Assignment set, parse_assignment("--set", text, "NAME=VALUE"));
    VYRE_TRY(chain.scalars[set.name], parse_value(text, set.value));
  }
  return load_chain(file, chain);
}

bool is_source_file(const std::filesystem::path& file) {
  constexpr std::array<std::string_view, 6> kEndings{".cl", ".cu", ".hip", ".cpp", ".c", ".h"};
  return std::ranges::find(kEndings, file.extension().string()) != kEndings.end();
}

// A word is a file or the name of a bundled kernel by its form. One that has the wrong form gets a
// better answer than a list of bundled kernels or an error of JSON.
Expected<void> check_form(const std::string& kernel) {
  const auto is_it = [&](const BundledProblem& bundled) { return bundled.name == kernel; };
  std::error_code error;
  const bool is_misnamed = names_bundled(kernel) &&
                           (kernel.contains('.') || std::filesystem::exists(kernel, error)) &&
                           std::ranges::none_of(bundled_problems(), is_it);
  if (!is_misnamed && !is_source_file(kernel)) return {};
  return bad_inputs(
      "{} is neither a bundled kernel nor a file that can be tuned; give the T1 file that "
      "describes the kernel, whose name ends in .json, or a sequence, whose name ends in .vyre",
      quote_path(kernel));
}

}  // namespace

bool names_bundled(const std::string& kernel) {
  return kernel.find('/') == std::string::npos && !kernel.ends_with(".json") &&
         !kernel.ends_with(".json.gz") && !names_sequence(kernel);
}

bool names_sequence(const std::string& kernel) { return kernel.ends_with(".vyre"); }

Expected<Problem> find_problem(const std::string& kernel, const ProblemOptions& options,
                               const DeviceInfo& device) {
  VYRE_TRY(const ProblemSizes sizes, parse_sizes(options.sizes));
  const ir::Language language = device.backend == "cuda"  ? ir::Language::cuda
                                : device.backend == "hip" ? ir::Language::hip
                                                          : ir::Language::opencl_c;
  if (!names_sequence(kernel) && (options.fuse || !options.sets.empty())) {
    return bad_inputs(
        "{}: --fuse and --set are for sequences in text form, files that end in .vyre",
        quote_path(kernel));
  }
  VYRE_TRY_VOID(check_form(kernel));
  VYRE_TRY(auto problem, names_sequence(kernel)
                             ? load_own_chain(kernel, options, sizes, device.limits)
                         : names_bundled(kernel) ? bundled_problem(kernel, sizes, language)
                                                 : load_problem(kernel, sizes));
  VYRE_TRY_VOID(add_own_data(options, problem));
  return problem;
}

}  // namespace vyre::cli
