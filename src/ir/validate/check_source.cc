#include "ir/validate/check_source.h"

#include <set>

#include "base/text.h"
#include "ir/names.h"
#include "ir/ops.h"
#include "ir/source.h"

namespace vyre::ir {
namespace {

constexpr std::uint32_t kMostOpaqueBytes = 65'536;

bool has_control(std::string_view text, std::string_view allowed) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 && allowed.find(c) == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

// A name, maybe within a namespace and with arguments for a template: "house::scale<float, 4>".
bool is_name_expression(std::string_view entry) {
  if (!is_identifier(function_of(entry)) || has_control(entry, "")) return false;
  if (entry.find_first_of(";{}\"'#\\") != std::string_view::npos) return false;
  const std::size_t open = entry.find('<');
  return open == std::string_view::npos || entry.ends_with('>');
}

class SourceCheck {
 public:
  explicit SourceCheck(Inspection& inspection)
      : inspection_(inspection),
        program_(inspection.program),
        source_(*inspection.program.source) {}

  void run() {
    if (!program_.body.empty()) {
      inspection_.report({}, "V110", "it has both a body and a source; keep one of the two");
    }
    check_text();
    for (const Source::Argument& argument : source_.arguments) check(argument);
    for (std::uint32_t i = 0; i < program_.buffers.size(); ++i) check_passed(i);
  }

 private:
  void check_text() {
    const bool is_name = is_cuda_like(source_.language) ? is_name_expression(source_.entry)
                                                        : is_identifier(source_.entry);
    if (!is_name) {
      inspection_.report({}, "V111", "entry {} is no name of a function; give the kernel's name",
                         quote(source_.entry));
    }
    if (source_.text.empty() || source_.text.find('\0') != std::string::npos) {
      inspection_.report({}, "V112", "the source is empty or has a zero byte; give its text");
    }
    if (has_control(source_.options, "\t")) {
      inspection_.report({}, "V112", "the compiler's options have a control character; remove it");
    }
  }

  void check(const Source::Argument& argument) {
    const NamedPlace place = find_declared(program_, argument.name);
    const bool is_symbol = place.kind == NamedPlace::Kind::symbol;
    if (place.kind == NamedPlace::Kind::nothing) {
      return inspection_.report({}, "V113", "argument {} is not declared; declare it or remove it",
                                quote(argument.name));
    }
    if (is_symbol && program_.symbols[place.index].kind == SymbolKind::tunable) {
      return inspection_.report({}, "V113",
                                "argument {} is a tunable, which is a definition of the "
                                "preprocessor; remove it from the arguments",
                                quote(argument.name));
    }
    if (!passed_.insert(argument.name).second) {
      inspection_.report({}, "V114", "argument {} is passed twice; pass it once",
                         quote(argument.name));
    }
    const std::uint32_t most = is_symbol ? byte_size(program_.symbols[place.index].type) : 0;
    if (argument.bytes > most) {
      inspection_.report({}, "V115", "argument {} cannot be passed as {} bytes; it has {}",
                         quote(argument.name), argument.bytes, most);
    }
    if (!argument.symbol.empty()) check_symbol(argument, place);
  }

  void check_symbol(const Source::Argument& argument, const NamedPlace& place) {
    if (!is_cuda_like(source_.language)) {
      return inspection_.report({}, "V118",
                                "argument {} is copied to {}, but only CUDA and HIP have such "
                                "symbols; pass it to a parameter",
                                quote(argument.name), quote(argument.symbol));
    }
    const bool is_read = place.kind == NamedPlace::Kind::buffer &&
                         program_.buffers[place.index].access == Access::read;
    if (!is_read) {
      return inspection_.report({}, "V118",
                                "argument {} is copied to {}, which takes a read buffer only; "
                                "declare it as one",
                                quote(argument.name), quote(argument.symbol));
    }
    if (!is_identifier(argument.symbol)) {
      inspection_.report({}, "V118", "argument {}: {} is no name of a symbol; give its name",
                         quote(argument.name), quote(argument.symbol));
    }
  }

  void check_passed(std::uint32_t index) {
    const Buffer& buffer = program_.buffers[index];
    const Place place{Part::buffer, index};
    if (buffer.access == Access::private_) {
      inspection_.report(place, "V116",
                         "a source program declares its private arrays in its text; "
                         "remove this one");
    } else if (!passed_.contains(buffer.name)) {
      inspection_.report(place, "V114", "it is passed to no parameter; add it to the arguments");
    }
  }

  Inspection& inspection_;
  const Program& program_;
  const Source& source_;
  std::set<std::string_view> passed_;
};

}  // namespace

void check_source(Inspection& inspection) {
  const bool knows_opaque = inspection.program.source.has_value() || inspection.kind == "sequence";
  for (std::uint32_t i = 0; i < inspection.program.buffers.size(); ++i) {
    const Buffer& buffer = inspection.program.buffers[i];
    if (buffer.opaque_bytes == 0) continue;
    const Place place{Part::buffer, i};
    if (!knows_opaque) {
      inspection.report(place, "V117",
                        "only a source program knows elements of {} bytes; use u32 or "
                        "another type of the language",
                        buffer.opaque_bytes);
    } else if (buffer.opaque_bytes > kMostOpaqueBytes) {
      inspection.report(place, "V117", "elements of {} bytes are too large; the most is {}",
                        buffer.opaque_bytes, kMostOpaqueBytes);
    }
  }
  if (inspection.program.source) SourceCheck(inspection).run();
}

}  // namespace vyre::ir
