#include "testing/golden_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "ir/rewrite/fold.h"

namespace vyre::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = 1U << 20U;

fs::path folder(const fs::path& source_dir) { return source_dir / "src" / "emit" / "golden"; }

std::array<std::uint32_t, 3> declared_workgroup(const ir::Program& program) {
  if (std::ranges::all_of(program.workgroup, [](auto e) { return e == ir::kNone; })) {
    return {64, 1, 1};
  }
  std::array<std::uint32_t, 3> out{1, 1, 1};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (program.workgroup[axis] == ir::kNone) continue;
    const auto size = ir::fold(program, program.workgroup[axis], ir::default_bits(program.symbols));
    out[axis] = static_cast<std::uint32_t>(size.value_or(1));
  }
  return out;
}

std::vector<std::uint64_t> default_symbols(const ir::Program& program) {
  std::vector<std::uint64_t> out;
  for (const ir::Symbol& s : program.symbols) out.push_back(s.default_bits);
  return out;
}

}  // namespace

std::vector<std::string> golden_programs(const fs::path& source_dir) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder(source_dir))) {
    if (entry.path().extension() == ".vyre") out.push_back(entry.path().stem().string());
  }
  std::ranges::sort(out);
  return out;
}

Expected<ir::SequenceDef> golden_program(const fs::path& source_dir, const std::string& name) {
  VYRE_TRY(const std::string text, read_file(folder(source_dir) / (name + ".vyre"), kMostBytes));
  VYRE_TRY(ir::SequenceDef sequence, ir::parse(text));
  for (const Error& error : ir::validate(sequence)) return std::unexpected(error);
  return sequence;
}

Expected<std::string> emitted(Emit emit, std::span<const ir::SequenceDef> sequences,
                              const std::string& prefix) {
  std::vector<const ir::Program*> programs;
  std::vector<std::vector<std::uint64_t>> symbols;
  for (const ir::SequenceDef& sequence : sequences) {
    for (const ir::Program& p : sequence.programs) {
      programs.push_back(&p);
      symbols.push_back(default_symbols(p));
    }
  }
  std::vector<emit::KernelSource> kernels;
  for (std::size_t k = 0; k < programs.size(); ++k) {
    const ir::Program& p = *programs[k];
    kernels.push_back({&p, symbols[k], declared_workgroup(p),
                       prefix.empty() ? p.name : fmt::format("{}{}", prefix, k)});
  }
  return emit(kernels);
}

Expected<std::string> all_emitted(Emit emit, const std::filesystem::path& source_dir) {
  std::vector<ir::SequenceDef> all;
  for (const std::string& name : golden_programs(source_dir)) {
    VYRE_TRY(ir::SequenceDef sequence, golden_program(source_dir, name));
    all.push_back(std::move(sequence));
  }
  ir::SequenceDef deep;
  for (const std::string_view pattern : deep_patterns()) {
    deep.programs.push_back(deepest_program(pattern));
  }
  all.push_back(std::move(deep));
  return emitted(emit, all, "k");
}

Expected<std::string> golden_text(const fs::path& file, const std::string& text) {
  if (std::getenv("VYRE_UPDATE_GOLDEN") != nullptr) {
    VYRE_TRY_VOID(write_file_atomically(file, text));
  }
  return read_file(file, kMostBytes);
}

ir::Program deepest_program(std::string_view pattern) {
  ir::Program last;
  for (std::string text = "s";;) {
    std::string next(pattern);
    text = next.replace(next.find('$'), 1, text);
    auto program = ir::parse_program(fmt::format(
        "program p {{\nscalar s: i32\nscalar b: bool\nread x: i32[4u]\nwrite y: i32[4u]\n"
        "y[0u] = {}\nwhile ({}) == 1i limit 2u {{ }}\n}}\n",
        text, text));
    if (!program || !ir::validate(*program).empty()) return last;
    last = *std::move(program);
  }
}

std::span<const std::string_view> deep_patterns() {
  static constexpr std::string_view kPatterns[] = {
      "-($)",
      "1i - ($)",
      "abs($)",
      "3i << u32($)",
      "2i / ($)",
      "select(b, $, 1i)",
      "select(bool($), 2i, 3i)",
      "x[$]",
      "i32(f32($))",
      "bits_i32(bits_f32($))",
      "2i ^ ~($)",
      "min($, 4i) % 3i",
  };
  return kPatterns;
}

}  // namespace vyre::testing
