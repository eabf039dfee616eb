#include "problems/signature.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/text.h"

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

bool is_kernel_word(const std::string& word) { return word == "__kernel" || word == "kernel"; }

// Where the parameter list of each kernel begins: after its name and "(".
struct Found {
  std::string name;
  std::size_t first = 0;
};

std::vector<Found> kernels_of(const Words& words) {
  std::vector<Found> out;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (!is_kernel_word(words[k])) continue;
    // Attributes may stand in between; the name is what follows `void`.
    for (std::size_t at = k + 1; at + 2 < words.size() && words[at] != "{"; ++at) {
      if (words[at] != "void") continue;
      std::size_t name = at + 1;
      // void __attribute__((...)) name(
      if (words[name] == "__attribute__") {
        int depth = 0;
        do {
          ++name;
          if (name < words.size()) depth += words[name] == "(" ? 1 : words[name] == ")" ? -1 : 0;
        } while (name < words.size() && depth > 0);
        ++name;
      }
      if (name + 1 < words.size() && words[name + 1] == "(") {
        out.push_back({words[name], name + 2});
      }
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
    depth += word == "(" ? 1 : word == ")" ? -1 : 0;
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

std::string_view memory_type_of(const Words& parameter) {
  if (has(parameter, "__local") || has(parameter, "local")) return "Local";
  return has(parameter, "*") || has(parameter, "[") ? "Vector" : "Scalar";
}

std::string spelled(const Words& parameter) {
  std::string out;
  for (const std::string& word : parameter) out += (out.empty() ? "" : " ") + word;
  return out;
}

Expected<void> check_one(const Words& parameter, const recording::ArgumentSpecification& argument,
                         const T1Type& type) {
  const std::string_view memory = memory_type_of(parameter);
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

}  // namespace

Expected<void> check_signature(std::string_view text, std::string_view entry,
                               const std::vector<T1Argument>& arguments) {
  const Words words = words_of(without_comments(text));
  const std::vector<Found> kernels = kernels_of(words);
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
    VYRE_TRY_VOID(check_one((*parameters)[k], arguments[k].given, arguments[k].type));
  }
  return {};
}

}  // namespace vyre
