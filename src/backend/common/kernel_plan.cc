#include "backend/common/kernel_plan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "ir/includes.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "ir/source.h"

namespace vyre::backend {
namespace {

using Kind = Parameter::Kind;

// The index of each buffer among those that a launch binds.
std::vector<std::uint32_t> bound_places(const ir::Program& program) {
  std::vector<std::uint32_t> places;
  std::uint32_t next = 0;
  for (const ir::Buffer& buffer : program.buffers) {
    places.push_back(ir::is_bound(buffer.access) ? next++ : ir::kNone);
  }
  return places;
}

Parameter symbol_parameter(const ir::Program& program, std::uint32_t index) {
  const ir::Symbol& symbol = program.symbols[index];
  return {Kind::symbol, index, ir::byte_size(symbol.type), symbol.name};
}

// In the order of emit/c_like/translation_unit.h.
std::vector<Parameter> emitted_parameters(const ir::Program& program) {
  std::vector<Parameter> out;
  for (const ir::Buffer& buffer : program.buffers) {
    if (!ir::is_bound(buffer.access)) continue;
    out.push_back({Kind::buffer, static_cast<std::uint32_t>(out.size()), 0, buffer.name});
  }
  for (std::uint32_t k = 0; k < program.symbols.size(); ++k) {
    if (program.symbols[k].kind == ir::SymbolKind::tunable) continue;
    out.push_back(symbol_parameter(program, k));
  }
  return out;
}

std::vector<Parameter> source_parameters(const ir::Program& program,
                                         const Specialisation& specialisation) {
  const std::vector<std::uint32_t> places = bound_places(program);
  std::vector<std::optional<std::uint64_t>> known;
  for (std::size_t k = 0; k < program.symbols.size(); ++k) {
    const bool fixed = program.symbols[k].kind == ir::SymbolKind::tunable;
    known.push_back(fixed ? std::optional(specialisation.symbols[k]) : std::nullopt);
  }
  std::vector<Parameter> out;
  for (const ir::Source::Argument& argument : program.source->arguments) {
    const ir::NamedPlace place = ir::find_declared(program, argument.name);
    if (place.kind == ir::NamedPlace::Kind::symbol) {
      out.push_back(symbol_parameter(program, place.index));
      if (argument.bytes > 0) out.back().bytes = argument.bytes;
      continue;
    }
    const ir::Buffer& buffer = program.buffers[place.index];
    if (!argument.symbol.empty()) {
      out.push_back({Kind::constant, places[place.index], 0, argument.symbol});
    } else if (ir::is_bound(buffer.access)) {
      out.push_back({Kind::buffer, places[place.index], 0, buffer.name});
    } else {
      const std::uint64_t length = ir::fold(program, buffer.length, known).value_or(0);
      out.push_back({Kind::local, 0, length * ir::element_bytes(buffer), buffer.name});
    }
  }
  return out;
}

// The value as a constant of C. GLSL has no hexadecimal ones with a fraction: the shortest decimal
// that means the same, with a point.
std::string spelled(ir::Scalar type, std::uint64_t bits,
                    ir::Language language = ir::Language::opencl_c) {
  switch (type) {
    case ir::Scalar::i32:
      return fmt::format("{}", static_cast<std::int32_t>(bits));
    case ir::Scalar::i64:
      return fmt::format("{}", static_cast<std::int64_t>(bits));
    case ir::Scalar::f32:
      return fmt::format(fmt::runtime(language == ir::Language::glsl ? "{:#}" : "{:a}f"),
                         std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    default:
      return fmt::format("{}", bits);
  }
}

// Words of OpenCL C that tunables are named after: Kernel Tuner's examples have a `read_only`. A
// driver may declare the language's own functions in a header (PoCL does), which a definition in
// the options would change. In the text the definition comes behind that header.
constexpr std::array<std::string_view, 10> kOpenclWords{
    "kernel",  "global",    "local",      "constant",   "private",
    "generic", "read_only", "write_only", "read_write", "pipe"};

bool is_defined_in_text(const ir::Program& program, const ir::Symbol& symbol) {
  return program.source->language == ir::Language::opencl_c &&
         std::ranges::find(kOpenclWords, symbol.name) != kOpenclWords.end();
}

bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Whether the text of a shader has `layout(constant_id = 3) const uint name = 64;`.
bool declares_specialisation(std::string_view text, std::string_view name) {
  constexpr std::string_view kWord = "constant_id";
  for (std::size_t at = text.find(kWord); at != text.npos; at = text.find(kWord, at + 1)) {
    const std::size_t open = text.find(')', at);
    const std::string_view left = text.substr(std::min(open, text.size()));
    std::string_view declared = left.substr(0, left.find_first_of("=;"));
    while (declared.ends_with(' ')) declared.remove_suffix(1);
    const bool is_whole =
        declared.size() > name.size() && !in_name(declared[declared.size() - name.size() - 1]);
    if (is_whole && declared.ends_with(name)) return true;
  }
  return false;
}

bool is_specialised(const ir::Program& program, const ir::Symbol& symbol) {
  return program.source->language == ir::Language::glsl &&
         declares_specialisation(program.source->text, symbol.name);
}

// A shader whose included files were written into it has #line directives with names, which are an
// extension of GLSL. Its first line is its #version, so the extension comes behind that.
std::string with_named_lines(const std::string& text) {
  if (text.find("#line ") == text.npos) return text;
  const std::size_t version = text.find("#version");
  const std::size_t end = version == text.npos ? text.npos : text.find('\n', version);
  if (end == text.npos) return text;
  const auto line = std::ranges::count(std::string_view(text).substr(0, end), '\n') + 2;
  return text.substr(0, end + 1) +
         fmt::format("#extension GL_GOOGLE_cpp_style_line_directive : require\n#line {}\n", line) +
         text.substr(end + 1);
}

std::string defined_text(const ir::Program& program, const Specialisation& specialisation) {
  std::string out;
  for (std::size_t k = 0; k < program.symbols.size(); ++k) {
    const ir::Symbol& symbol = program.symbols[k];
    if (symbol.kind != ir::SymbolKind::tunable || !is_defined_in_text(program, symbol)) continue;
    out += fmt::format("#define {} {}\n", symbol.name,
                       spelled(symbol.type, specialisation.symbols[k]));
  }
  const ir::Source& source = *program.source;
  // The first line of a shader is its #version, and its compiler is told the name of the file.
  if (source.language == ir::Language::glsl) return with_named_lines(source.text);
  // Named so that the compiler's messages say where its lines stand for the user.
  return out + ir::line_directive(1, source.file.empty() ? program.name : source.file) +
         source.text;
}

std::string definitions(const ir::Program& program, const Specialisation& specialisation) {
  std::string out = program.source->options;
  for (std::size_t k = 0; k < program.symbols.size(); ++k) {
    const ir::Symbol& symbol = program.symbols[k];
    if (symbol.kind != ir::SymbolKind::tunable || is_defined_in_text(program, symbol)) continue;
    if (is_specialised(program, symbol)) continue;
    out += fmt::format(" -D{}={}", symbol.name,
                       spelled(symbol.type, specialisation.symbols[k], program.source->language));
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    out += fmt::format(" -DVYRE_WORKGROUP_{}={}", "XYZ"[axis], specialisation.workgroup[axis]);
  }
  return out;
}

// The entry with the values of the tunables that it names. Compilers do not promise that
// definitions of the preprocessor hold in a name expression.
std::string entry_of(const ir::Program& program, const Specialisation& specialisation) {
  const std::string& entry = program.source->entry;
  const std::size_t arguments = entry.find('<');
  if (arguments == std::string::npos) return entry;
  std::string out = entry.substr(0, arguments);
  for (std::size_t at = arguments; at < entry.size();) {
    std::size_t end = at;
    while (end < entry.size() && in_name(entry[end])) ++end;
    const std::string word = entry.substr(at, std::max<std::size_t>(end - at, 1));
    const ir::NamedPlace place = ir::find_declared(program, word);
    const bool is_tunable = place.kind == ir::NamedPlace::Kind::symbol &&
                            program.symbols[place.index].kind == ir::SymbolKind::tunable;
    out += is_tunable
               ? spelled(program.symbols[place.index].type, specialisation.symbols[place.index])
               : word;
    at += word.size();
  }
  return out;
}

Expected<void> check_language(const ir::Program& program, ir::Language runs) {
  const ir::Language language = program.source->language;
  if (language == runs) return {};
  return rejected(
      "{} is written in {}, but this device runs {}; use {} (`vyre devices` lists all), or port "
      "the kernel",
      quote(program.name), ir::spoken_name(language), ir::spoken_name(runs),
      ir::device_for(language));
}

}  // namespace

Expected<KernelPlan> plan_kernel(const ir::Program& program, const Specialisation& specialisation,
                                 const KernelLanguage& language) {
  KernelPlan plan;
  plan.source.name = program.name;
  plan.source.workgroup = specialisation.workgroup;
  plan.symbols = program.symbols.size();
  for (const ir::Buffer& b : program.buffers) plan.buffers += ir::is_bound(b.access) ? 1 : 0;
  if (program.source) {
    VYRE_TRY_VOID(check_language(program, language.sources));
    plan.entry = entry_of(program, specialisation);
    plan.source.text = defined_text(program, specialisation);
    plan.source.options = definitions(program, specialisation);
    plan.parameters = source_parameters(program, specialisation);
    return plan;
  }
  plan.entry = "k_" + program.name;
  const emit::KernelSource kernel{.program = &program,
                                  .symbols = specialisation.symbols,
                                  .workgroup = specialisation.workgroup,
                                  .entry = plan.entry};
  VYRE_TRY(plan.source.text, language.emit(std::array{kernel}));
  plan.source.options = language.options;
  plan.parameters = emitted_parameters(program);
  return plan;
}

}  // namespace vyre::backend
