#include "ir/source.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/ops.h"

namespace vyre::ir {

namespace {

struct Row {
  Language language;
  std::string_view name;
  std::string_view spoken;
  std::string_view device;
};

constexpr Row kLanguages[] = {
    {Language::opencl_c, "opencl_c", "OpenCL C", "an OpenCL device"},
    {Language::cuda, "cuda", "CUDA C++", "a CUDA device"},
    {Language::hip, "hip", "HIP C++", "a HIP device"},
    {Language::glsl, "glsl", "GLSL", "a Vulkan device"},
};

constexpr Row kUnknown{Language::opencl_c, "?", "?", "another device"};

const Row& row_of(Language language) {
  const auto* const it = std::ranges::find(kLanguages, language, &Row::language);
  return it == std::end(kLanguages) ? kUnknown : *it;
}

}  // namespace

std::string_view name_of(Language language) { return row_of(language).name; }
std::string_view spoken_name(Language language) { return row_of(language).spoken; }
std::string_view device_for(Language language) { return row_of(language).device; }

std::optional<Language> find_language(std::string_view name) {
  const auto* const it = std::ranges::find(kLanguages, name, &Row::name);
  return it == std::end(kLanguages) ? std::nullopt : std::optional(it->language);
}

bool is_cuda_like(Language language) {
  return language == Language::cuda || language == Language::hip;
}

std::string_view function_of(std::string_view entry) {
  entry = entry.substr(0, entry.find('<'));
  const std::size_t scope = entry.rfind("::");
  if (scope != std::string_view::npos) entry.remove_prefix(scope + 2);
  while (entry.ends_with(' ')) entry.remove_suffix(1);
  while (entry.starts_with(' ')) entry.remove_prefix(1);
  return entry;
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
