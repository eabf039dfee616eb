#include "problems/problem_sizes.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.h"
#include "base/text.h"
#include "ir/names.h"
#include "vyre/space.h"

namespace vyre {
namespace {

constexpr std::array<std::string_view, 3> kAxisNames{"problem_size_x", "problem_size_y",
                                                     "problem_size_z"};
constexpr std::string_view kListName = "ProblemSize";

std::string name_of_size(const recording::KernelSpecification& kernel, std::size_t k) {
  if (!kernel.problem_size_names.empty()) return kernel.problem_size_names[k];
  return k < kAxisNames.size() ? std::string(kAxisNames[k]) : fmt::format("problem_size_{}", k);
}

Expected<std::uint32_t> checked_size(std::string_view name, std::int64_t value) {
  if (value >= 1 && value <= std::numeric_limits<std::uint32_t>::max()) {
    return static_cast<std::uint32_t>(value);
  }
  return bad_inputs("problem size {} cannot be {}; give a number from 1 to 4294967295", quote(name),
                    value);
}

Expected<std::uint32_t> declared_size(std::string_view name, const std::string& text) {
  const auto expression = space::Expression::compile(text, {});
  const auto value = expression ? expression->evaluate(std::span<const Value>{})
                                : Expected<Value>(std::unexpected(expression.error()));
  const auto* whole = value ? std::get_if<std::int64_t>(&*value) : nullptr;
  if (whole != nullptr) return checked_size(name, *whole);
  return bad_inputs(
      "ProblemSize: {} is no whole number; give one: it holds for all configurations, so it cannot "
      "depend on a parameter",
      quote(text));
}

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool continues_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }

// Where "[3]" after `from` ends, and its number; npos if there is none.
std::size_t subscript(std::string_view text, std::size_t from, std::size_t& index) {
  std::size_t at = text.find_first_not_of(' ', from);
  if (at == std::string_view::npos || text[at] != '[') return std::string_view::npos;
  const std::size_t close = text.find(']', at);
  if (close == std::string_view::npos) return std::string_view::npos;
  index = 0;
  bool any = false;
  for (++at; at < close; ++at) {
    if (text[at] == ' ') continue;
    if (text[at] < '0' || text[at] > '9' || index > 100) return std::string_view::npos;
    index = index * 10 + static_cast<std::size_t>(text[at] - '0');
    any = true;
  }
  return any ? close + 1 : std::string_view::npos;
}

// Copies the text, each name that is a size replaced by what `spell` makes of the size.
template <class Spell>
std::string replaced(std::string_view text, const std::vector<NamedSize>& sizes,
                     const Spell& spell) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at + 1;
    if (!continues_name(text[at])) {
      out += text[at];
      at = end;
      continue;
    }
    while (end < text.size() && continues_name(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    std::size_t index = sizes.size();
    if (word == kListName) {
      const std::size_t after = subscript(text, end, index);
      if (after != std::string_view::npos && index < sizes.size()) end = after;
    } else {
      const auto it = std::ranges::find(sizes, word, &NamedSize::name);
      index = static_cast<std::size_t>(it - sizes.begin());
    }
    out += index < sizes.size() ? spell(sizes[index]) : std::string(word);
    at = end;
  }
  return out;
}

// Whether ProblemSize is left in a text whose sizes were replaced.
bool names_no_size(std::string_view text) {
  for (std::size_t at = text.find(kListName); at != std::string_view::npos;
       at = text.find(kListName, at + 1)) {
    const std::size_t end = at + kListName.size();
    const bool begins = at == 0 || !continues_name(text[at - 1]);
    if (begins && (end == text.size() || !continues_name(text[end]))) return true;
  }
  return false;
}

Expected<void> check_text(std::string_view field, std::string_view text,
                          const std::vector<NamedSize>& sizes) {
  if (!names_no_size(with_size_names(text, sizes))) return {};
  if (sizes.empty()) {
    return bad_inputs(
        "{}: {} needs a ProblemSize, and the file has none; add one to KernelSpecification, as "
        "\"ProblemSize\": [1024]",
        field, quote(text));
  }
  return bad_inputs("{}: {} names a size that is not there; ProblemSize has {}: {}", field,
                    quote(text), sizes.size(), to_string(sizes));
}

Expected<void> check_names(const recording::KernelSpecification& kernel) {
  const auto& names = kernel.problem_size_names;
  if (names.empty()) return {};
  if (names.size() != kernel.problem_size.size()) {
    return bad_inputs("ProblemSizeNames has {} names for {} sizes; give one name for each",
                      names.size(), kernel.problem_size.size());
  }
  for (const std::string& name : names) {
    if (ir::is_identifier(name) && !ir::is_reserved(name)) continue;
    return bad_inputs("ProblemSizeNames: {} cannot be a name; use letters, digits and _",
                      quote(name));
  }
  return {};
}

}  // namespace

Expected<std::vector<NamedSize>> problem_sizes(const recording::KernelSpecification& kernel,
                                               const ProblemSizes& wanted) {
  VYRE_TRY_VOID(check_names(kernel));
  std::vector<NamedSize> out;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < kernel.problem_size.size(); ++k) {
    names.push_back(name_of_size(kernel, k));
    VYRE_TRY(const std::uint32_t value, declared_size(names[k], kernel.problem_size[k]));
    out.push_back({names[k], value});
  }
  for (const auto& [name, value] : wanted) {
    const auto it = std::ranges::find(out, name, &NamedSize::name);
    if (it == out.end()) {
      return bad_inputs("there is no problem size {}{}; it has: {}", quote(name),
                        did_you_mean(name, names), out.empty() ? "none" : to_string(out));
    }
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    VYRE_TRY(it->value, checked_size(name, static_cast<std::int64_t>(std::min(value, most))));
  }
  return out;
}

Expected<void> check_size_names(const recording::T1File& t1, const std::vector<NamedSize>& sizes) {
  constexpr std::string_view kAxes = "XYZ";
  for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
    const auto field = [&](const char* name) { return fmt::format("{}.{}", name, kAxes[axis]); };
    VYRE_TRY_VOID(check_text(field("LocalSize"), t1.kernel.local_size[axis], sizes));
    VYRE_TRY_VOID(check_text(field("GlobalSize"), t1.kernel.global_size[axis], sizes));
    for (const std::string& divisor : t1.kernel.grid_divisors[axis]) {
      VYRE_TRY_VOID(check_text(fmt::format("GridDiv{}", kAxes[axis]), divisor, sizes));
    }
  }
  for (const recording::ArgumentSpecification& argument : t1.kernel.arguments) {
    const std::string field = fmt::format("argument {}: Size", quote(argument.name));
    VYRE_TRY_VOID(check_text(field, argument.size, sizes));
  }
  for (const auto& [name, expression] : t1.kernel.metrics) {
    VYRE_TRY_VOID(check_text(fmt::format("Metrics: {}", quote(name)), expression, sizes));
  }
  return {};
}

std::string with_size_names(std::string_view text, const std::vector<NamedSize>& sizes) {
  return replaced(text, sizes, [](const NamedSize& size) { return size.name; });
}

std::string with_size_values(std::string_view text, const std::vector<NamedSize>& sizes) {
  return replaced(text, sizes, [](const NamedSize& size) { return std::to_string(size.value); });
}

std::string to_string(const std::vector<NamedSize>& sizes) {
  std::string out;
  for (const NamedSize& size : sizes) {
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", size.name, size.value);
  }
  return out;
}

}  // namespace vyre
