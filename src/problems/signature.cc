#include "problems/signature.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "ir/source.h"

namespace vyre {
namespace {

using Words = std::vector<std::string>;

// Replaces comments by spaces, so that their text counts for nothing.
std::string without_comments(std::string_view text) {
  std::string out(text);
  for (std::size_t at = 0; at + 1 < out.size(); ++at) {
    const bool is_line = out[at] == '/' && out[at + 1] == '/';
    if (!is_line && !(out[at] == '/' && out[at + 1] == '*')) continue;
    std::size_t end = is_line ? out.find('\n', at) : out.find("*/", at + 2);
    end = end == std::string::npos ? out.size() : end + (is_line ? 0 : 2);
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(at),
              out.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    at = end - 1;
  }
  return out;
}

bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Words, and every other character that is not a space on its own.
Words words_of(std::string_view text) {
  Words out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (in_word(text[at])) {
      while (end < text.size() && in_word(text[end])) ++end;
    }
    if (static_cast<unsigned char>(text[at]) > ' ') out.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

bool is_kernel_word(const std::string& word, ir::Language language) {
  if (ir::is_cuda_like(language)) return word == "__global__";
  return word == "__kernel" || word == "kernel";
}

// The place behind the bracket that closes the one at `at`.
std::size_t behind_bracket(const Words& words, std::size_t at) {
  const std::string& open = words[at];
  const std::string_view close = open == "(" ? ")" : ">";
  int depth = 0;
  for (; at < words.size(); ++at) {
    depth += words[at] == open ? 1 : words[at] == close ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return at;
}

// The place of the name that follows `void`, behind __attribute__((...)), __launch_bounds__(...).
std::size_t name_behind(const Words& words, std::size_t at) {
  while (at + 1 < words.size() && words[at].starts_with("__")) {
    at = words[at + 1] == "(" ? behind_bracket(words, at + 1) : at + 1;
  }
  return at;
}

// Where the parameter list of each kernel begins: after its name and "(".
struct Found {
  std::string name;
  std::size_t first = 0;
};

std::vector<Found> kernels_of(const Words& words, ir::Language language) {
  std::vector<Found> out;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (!is_kernel_word(words[k], language)) continue;
    // Attributes may stand in between; the name is what follows `void`.
    for (std::size_t at = k + 1; at + 2 < words.size() && words[at] != "{"; ++at) {
      if (words[at] != "void") continue;
      const std::size_t name = name_behind(words, at + 1);
      // A specialised template has arguments behind its name.
      std::size_t next = name + 1;
      if (next < words.size() && words[next] == "<") next = behind_bracket(words, next);
      if (next < words.size() && words[next] == "(") out.push_back({words[name], next + 1});
      break;
    }
  }
  return out;
}

// None if the list does not end, or if preprocessor lines stand in it.
std::optional<std::vector<Words>> parameters_from(const Words& words, std::size_t at) {
  std::vector<Words> out(1);
  for (int depth = 0; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (word == "#") return std::nullopt;
    if (word == ")" && depth == 0) {
      const bool is_empty = out.size() == 1 && (out[0].empty() || out[0] == Words{"void"});
      return is_empty ? std::vector<Words>{} : out;
    }
    depth += word == "(" || word == "<" ? 1 : word == ")" || word == ">" ? -1 : 0;
    if (word == "," && depth == 0) {
      out.emplace_back();
    } else {
      out.back().push_back(word);
    }
  }
  return std::nullopt;
}

struct CType {
  std::string_view name;
  T1Type::Kind kind;
  std::uint32_t bytes;
};
using Kind = T1Type::Kind;
constexpr CType kCTypes[] = {
    {"char", Kind::whole, 1},  {"uchar", Kind::natural, 1},
    {"short", Kind::whole, 2}, {"ushort", Kind::natural, 2},
    {"int", Kind::whole, 4},   {"uint", Kind::natural, 4},
    {"long", Kind::whole, 8},  {"ulong", Kind::natural, 8},
    {"half", Kind::real, 2},   {"float", Kind::real, 4},
    {"double", Kind::real, 8}, {"unsigned", Kind::natural, 4}};  // last: `unsigned char` is a char

// The type that a parameter names, if it is one of the table's (with a vector's width behind it).
struct Named {
  const CType* type = nullptr;
  std::uint32_t bytes = 0;
};

Named type_of(const Words& parameter) {
  for (const CType& type : kCTypes) {
    for (const std::string& word : parameter) {
      if (!word.starts_with(type.name)) continue;
      const std::string_view width = std::string_view(word).substr(type.name.size());
      if (width.empty()) return {&type, type.bytes};
      for (const std::uint32_t lanes : {2U, 4U, 8U, 16U}) {
        if (width == std::to_string(lanes)) return {&type, type.bytes * lanes};
      }
    }
  }
  return {};
}

bool has(const Words& parameter, std::string_view word) {
  return std::ranges::find(parameter, word) != parameter.end();
}

std::string_view memory_type_of(const Words& parameter, ir::Language language) {
  const bool is_local = has(parameter, "__local") || has(parameter, "local");
  if (is_local && !ir::is_cuda_like(language)) return "Local";
  return has(parameter, "*") || has(parameter, "[") ? "Vector" : "Scalar";
}

std::string spelled(const Words& parameter) {
  std::string out;
  for (const std::string& word : parameter) out += (out.empty() ? "" : " ") + word;
  return out;
}

Expected<void> check_one(const Words& parameter, ir::Language language,
                         const recording::ArgumentSpecification& argument, const T1Type& type) {
  const std::string_view memory = memory_type_of(parameter, language);
  if (memory != argument.memory_type) {
    return bad_inputs(
        "argument {} is a {}, but the kernel's parameter {} takes a {}; "
        "check the order of Arguments and its MemoryType",
        quote(argument.name), argument.memory_type, quote(spelled(parameter)), memory);
  }
  const Named named = type_of(parameter);
  if (named.type == nullptr || type.kind == Kind::custom) return {};
  const bool same_kind = (named.type->kind == Kind::real) == (type.kind == Kind::real);
  // Kernels may see the same memory in wider or narrower elements; a scalar is passed as it is.
  const bool same_size =
      memory == "Scalar" ? named.bytes == type.element_bytes() : named.type->bytes == type.bytes;
  if (same_kind && same_size) return {};
  return bad_inputs("argument {} is of type {}, but the kernel's parameter is {}; correct its Type",
                    quote(argument.name), type.name, quote(spelled(parameter)));
}

// Whether `__constant__ float name[9];` stands in the text.
bool declares_constant(const Words& words, std::string_view name) {
  bool in_declaration = false;
  for (const std::string& word : words) {
    if (word == "__constant__") in_declaration = true;
    if (word == ";" || word == "=" || word == "{") in_declaration = false;
    if (in_declaration && word == name) return true;
  }
  return false;
}

}  // namespace

void find_symbols(std::string_view text, ir::Language language,
                  std::vector<T1Argument>& arguments) {
  if (!ir::is_cuda_like(language)) return;
  const Words words = words_of(without_comments(text));
  for (T1Argument& argument : arguments) {
    const std::string& name = argument.given.name;
    if (argument.given.in_constant_memory && declares_constant(words, name)) argument.symbol = name;
  }
}

Expected<void> check_signature(std::string_view text, ir::Language language, std::string_view entry,
                               const std::vector<T1Argument>& all) {
  // A shader's buffers and push constants are checked when it is compiled.
  if (language == ir::Language::glsl) return {};
  std::vector<T1Argument> arguments;
  std::ranges::copy_if(all, std::back_inserter(arguments),
                       [&](const T1Argument& a) { return is_parameter(a, language); });
  const Words words = words_of(without_comments(text));
  const std::vector<Found> kernels = kernels_of(words, language);
  if (ir::is_cuda_like(language)) entry = ir::function_of(entry);
  const auto it = std::ranges::find(kernels, entry, &Found::name);
  if (it == kernels.end()) {
    // A macro may make the name.
    if (kernels.empty() && has(words, "define")) return {};
    std::vector<std::string> names;
    for (const Found& kernel : kernels) names.push_back(kernel.name);
    return bad_inputs("the source has no kernel {}{}; correct KernelName", quote(entry),
                      did_you_mean(entry, names));
  }
  const auto parameters = parameters_from(words, it->first);
  if (!parameters) return {};
  if (parameters->size() != arguments.size()) {
    return bad_inputs(
        "kernel {} takes {} arguments, but Arguments lists {}; list one for each "
        "parameter, in order",
        quote(entry), parameters->size(), arguments.size());
  }
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    VYRE_TRY_VOID(check_one((*parameters)[k], language, arguments[k].given, arguments[k].type));
  }
  return {};
}

}  // namespace vyre
