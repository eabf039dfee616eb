#include "ir/validate/check_declarations.h"

#include <set>

#include "base/text.h"
#include "ir/names.h"
#include "ir/ops.h"
#include "ir/text/spelling.h"

namespace vyre::ir {
namespace {

bool fits(Scalar scalar, std::uint64_t bits) {
  if (scalar == Scalar::boolean) return bits <= 1;
  return byte_size(scalar) == 8 || bits <= 0xffffffffU;
}

// A tuner measures the default too, so the default is one of the values.
void check_values(Inspection& inspection, Place place, const Symbol& symbol) {
  std::set<std::uint64_t> seen;
  for (const std::uint64_t value : symbol.values) {
    if (!fits(symbol.type, value)) {
      return inspection.report(place, "V045",
                               "the value {:#x} has bits beyond {}; zero-extend the value", value,
                               name_of(symbol.type));
    }
    if (!seen.insert(value).second) {
      return inspection.report(place, "V046", "the value {} is listed twice; remove one of the two",
                               print_literal(symbol.type, value));
    }
  }
  if (seen.empty() || seen.contains(symbol.default_bits)) return;
  inspection.report(place, "V046", "the default {} is not among the values; add it",
                    print_literal(symbol.type, symbol.default_bits));
}

void check_symbol(Inspection& inspection, std::uint32_t index) {
  const Symbol& symbol = inspection.program.symbols[index];
  const Place place{Part::symbol, index};
  check_name(inspection, place, name_of(symbol.kind), symbol.name);
  if (symbol.kind == SymbolKind::shape && symbol.type != Scalar::u32) {
    inspection.report(place, "V044", "a shape is a u32, not {}; make it a scalar or a u32",
                      name_of(symbol.type));
  }
  if (!fits(symbol.type, symbol.default_bits)) {
    inspection.report(place, "V045", "the default {:#x} has bits beyond {}; zero-extend the value",
                      symbol.default_bits, name_of(symbol.type));
  }
  check_values(inspection, place, symbol);
}

void check_buffer(Inspection& inspection, std::uint32_t index) {
  const Buffer& buffer = inspection.program.buffers[index];
  const Place place{Part::buffer, index};
  check_name(inspection, place, "buffer", buffer.name);
  if (buffer.element == Scalar::boolean) {
    inspection.report(place, "V043", "a buffer cannot hold bool; use u32 with 0 and 1");
  }
}

}  // namespace

void check_name(Inspection& inspection, Place place, std::string_view what, std::string_view name) {
  if (name.size() > Limits::kNameBytes) {
    inspection.report(place, "V011", "the name of this {} has {} bytes; shorten it to {}", what,
                      name.size(), Limits::kNameBytes);
  } else if (!is_identifier(name)) {
    inspection.report(place, "V010",
                      "{} {} is no name; use letters, digits and _, not starting with a digit",
                      what, quote(name));
  } else if (is_reserved(name)) {
    inspection.report(place, "V012", "{} {} has a reserved word as its name; choose another", what,
                      quote(name));
  }
}

void check_declarations(Inspection& inspection) {
  const Program& program = inspection.program;
  check_name(inspection, {}, inspection.kind, program.name);
  std::set<std::string_view> names;
  const auto unique = [&](Place place, std::string_view name) {
    if (names.insert(name).second) return;
    inspection.report(place, "V013", "{} is declared twice; rename one of the two", quote(name));
  };
  for (std::uint32_t i = 0; i < program.symbols.size(); ++i) {
    check_symbol(inspection, i);
    unique({Part::symbol, i}, program.symbols[i].name);
  }
  for (std::uint32_t i = 0; i < program.buffers.size(); ++i) {
    check_buffer(inspection, i);
    unique({Part::buffer, i}, program.buffers[i].name);
  }
}

}  // namespace vyre::ir
