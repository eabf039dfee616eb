#include "ir/source.h"

#include <fmt/format.h>

#include "ir/ops.h"

namespace vyre::ir {

std::string_view name_of(Language language) {
  switch (language) {
    case Language::opencl_c:
      return "opencl_c";
  }
  return "?";
}

std::optional<Language> find_language(std::string_view name) {
  if (name == name_of(Language::opencl_c)) return Language::opencl_c;
  return std::nullopt;
}

NamedPlace find_declared(const Program& program, std::string_view name) {
  using Kind = NamedPlace::Kind;
  for (std::uint32_t i = 0; i < program.buffers.size(); ++i) {
    if (program.buffers[i].name == name) return {Kind::buffer, i};
  }
  for (std::uint32_t i = 0; i < program.symbols.size(); ++i) {
    if (program.symbols[i].name == name) return {Kind::symbol, i};
  }
  return {};
}

std::string element_name(const Buffer& buffer) {
  if (buffer.opaque_bytes > 0) return fmt::format("bytes{}", buffer.opaque_bytes);
  return std::string(name_of(buffer.element));
}

}  // namespace vyre::ir
