#include "backend/slots.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/text.h"
#include "ir/native.h"
#include "ir/ops.h"

namespace vyre::backend {
namespace {

using ir::Scalar;
using Type = Arg::Type;

constexpr std::string_view kTypeNames[] = {"bool", "u32", "i32", "u64",
                                           "i64",  "f32", "f64", "bytes"};

std::string_view name_of(Type type) { return kTypeNames[static_cast<std::size_t>(type)]; }

Type type_of(Scalar scalar) {
  switch (scalar) {
    case Scalar::boolean:
      return Type::boolean;
    case Scalar::u32:
      return Type::u32;
    case Scalar::i32:
      return Type::i32;
    case Scalar::u64:
      return Type::u64;
    case Scalar::i64:
      return Type::i64;
    case Scalar::f32:
      return Type::f32;
  }
  return Type::bytes;
}

template <class T>
std::optional<std::uint64_t> integer_as(const Arg& arg) {
  const bool fits = arg.type() == Type::u64
                        ? std::in_range<T>(arg.bits())
                        : std::in_range<T>(static_cast<std::int64_t>(arg.bits()));
  return fits ? std::optional(ir::to_bits(static_cast<T>(arg.bits()))) : std::nullopt;
}

std::optional<std::uint64_t> float_bits(const Arg& arg) {
  double value = std::bit_cast<double>(arg.bits());
  if (arg.type() == Type::u64) value = static_cast<double>(arg.bits());
  if (arg.type() == Type::i64) value = static_cast<double>(static_cast<std::int64_t>(arg.bits()));
  const auto rounded = static_cast<float>(value);
  if (std::isinf(rounded) && !std::isinf(value)) return std::nullopt;
  return ir::to_bits(rounded);
}

// The number as bits of the declared type; none: that type has no such number.
std::optional<std::uint64_t> number_as(Scalar wanted, const Arg& arg) {
  const bool is_integer = arg.type() == Type::u64 || arg.type() == Type::i64;
  switch (wanted) {
    case Scalar::boolean:
      return arg.type() == Type::boolean ? std::optional(arg.bits()) : std::nullopt;
    case Scalar::f32:
      return is_integer || arg.type() == Type::f64 ? float_bits(arg) : std::nullopt;
    case Scalar::u32:
      return is_integer ? integer_as<std::uint32_t>(arg) : std::nullopt;
    case Scalar::i32:
      return is_integer ? integer_as<std::int32_t>(arg) : std::nullopt;
    case Scalar::u64:
      return is_integer ? integer_as<std::uint64_t>(arg) : std::nullopt;
    case Scalar::i64:
      return is_integer ? integer_as<std::int64_t>(arg) : std::nullopt;
  }
  return std::nullopt;
}

std::string number_text(const Arg& arg) {
  switch (arg.type()) {
    case Type::boolean:
      return arg.bits() != 0 ? "true" : "false";
    case Type::f64:
      return fmt::format("{}", std::bit_cast<double>(arg.bits()));
    case Type::u64:
      return fmt::format("{}", arg.bits());
    default:
      return fmt::format("{}", static_cast<std::int64_t>(arg.bits()));
  }
}

// Opaque elements have a size and no type; bytes fit every buffer; a boolean takes four bytes.
bool fits(const ir::Buffer& buffer, const Arg& arg) {
  if (arg.element_bytes() == 1) return true;
  if (buffer.opaque_bytes > 0) return arg.element_bytes() == buffer.opaque_bytes;
  if (buffer.element == Scalar::boolean) return arg.type() == Type::u32;
  return arg.type() == type_of(buffer.element);
}

// Puts named arguments into their slots. Callers mostly name them in the order of the declarations,
// so the search for a name starts behind the last one that was found.
class Placer {
 public:
  Placer(const ir::Sequence& sequence, Slots& slots) : def_(sequence.def()), slots_(slots) {}

  Expected<void> place(const Arg& arg) {
    if (const auto buffer = find(def_.buffers, arg.name(), next_buffer_)) {
      if (ir::is_bound(def_.buffers[*buffer].access)) return place_memory(*buffer, arg);
    }
    if (const auto symbol = find(def_.symbols, arg.name(), next_symbol_)) {
      if (def_.symbols[*symbol].kind != ir::SymbolKind::tunable) return place_number(*symbol, arg);
    }
    return unknown(arg);
  }

  Expected<void> check_complete() const {
    for (std::size_t k = 0; k < def_.buffers.size(); ++k) {
      const Place& place = slots_.buffers[k];
      if (!ir::is_bound(def_.buffers[k].access)) continue;
      if (place.bytes == 0 && place.device == nullptr && place.from == nullptr) {
        return bad_inputs("{}: buffer {} is not given; add it to the arguments", quote(def_.name),
                          quote(def_.buffers[k].name));
      }
      if (place.device != nullptr) VYRE_TRY_VOID(check_shared(k));
    }
    return {};
  }

 private:
  template <class T>
  static std::optional<std::size_t> find(const std::vector<T>& declared, std::string_view name,
                                         std::size_t& next) {
    const std::size_t size = declared.size();
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t index = next + k < size ? next + k : next + k - size;
      if (declared[index].name != name) continue;
      next = index + 1 < size ? index + 1 : 0;
      return index;
    }
    return std::nullopt;
  }

  Expected<void> place_memory(std::size_t index, const Arg& arg) {
    const ir::Buffer& buffer = def_.buffers[index];
    Place& place = slots_.buffers[index];
    if (place.bytes > 0) return repeated(arg);
    place.bytes = arg.bytes();
    switch (arg.kind()) {
      case Arg::Kind::number:
        return bad_inputs("{}: {} is a buffer, and a number is given; give a range or a Buffer",
                          quote(def_.name), quote(buffer.name));
      case Arg::Kind::buffer:
        place.device = arg.buffer();
        return arg.bytes() > 0 ? Expected<void>() : empty(buffer);
      case Arg::Kind::const_host:
        if (!ir::gives_output(buffer.access)) break;
        return bad_inputs("{}: {} is written, and its memory is const; give memory that may change",
                          quote(def_.name), quote(buffer.name));
      case Arg::Kind::host:
        break;
    }
    if (arg.bytes() == 0) return empty(buffer);
    if (!fits(buffer, arg)) {
      return bad_inputs("{}: {} has elements of {}, and {} is given; give {}", quote(def_.name),
                        quote(buffer.name), ir::element_name(buffer), given_text(arg),
                        buffer.opaque_bytes > 0 ? "elements of that size, or bytes"
                                                : "elements of that type, or bytes");
    }
    slots_.is_on_host = true;
    if (ir::takes_input(buffer.access)) place.from = arg.data();
    if (ir::gives_output(buffer.access)) place.to = arg.data();
    return {};
  }

  Expected<void> place_number(std::size_t index, const Arg& arg) {
    const ir::Symbol& symbol = def_.symbols[index];
    if (slots_.symbols[index]) return repeated(arg);
    if (arg.kind() != Arg::Kind::number) {
      return bad_inputs("{}: {} is a number, and memory is given; give a {}", quote(def_.name),
                        quote(symbol.name), ir::name_of(symbol.type));
    }
    slots_.symbols[index] = number_as(symbol.type, arg);
    if (slots_.symbols[index]) return {};
    return bad_inputs("{}: {} cannot be {}; it is a {}", quote(def_.name), quote(symbol.name),
                      number_text(arg), ir::name_of(symbol.type));
  }

  static std::string given_text(const Arg& arg) {
    if (arg.type() != Type::bytes) return std::string(name_of(arg.type()));
    return fmt::format("a type of {} bytes", arg.element_bytes());
  }

  std::unexpected<Error> empty(const ir::Buffer& buffer) const {
    return bad_inputs("{}: {} is empty; give at least one {}", quote(def_.name), quote(buffer.name),
                      ir::element_name(buffer));
  }

  std::unexpected<Error> repeated(const Arg& arg) const {
    return bad_inputs("{}: {} is given twice; leave one out", quote(def_.name), quote(arg.name()));
  }

  std::unexpected<Error> unknown(const Arg& arg) const {
    std::vector<std::string> names;
    for (const ir::Buffer& b : def_.buffers) {
      if (ir::is_bound(b.access)) names.push_back(b.name);
    }
    for (const ir::Symbol& s : def_.symbols) {
      if (s.kind != ir::SymbolKind::tunable) names.push_back(s.name);
    }
    return bad_inputs("{}: there is no buffer, shape or scalar {}{}", quote(def_.name),
                      quote(arg.name()), did_you_mean(arg.name(), names));
  }

  // Kernels are compiled for buffers that do not overlap.
  Expected<void> check_shared(std::size_t index) const {
    for (std::size_t k = 0; k < index; ++k) {
      if (slots_.buffers[k].device != slots_.buffers[index].device) continue;
      if (!ir::gives_output(def_.buffers[k].access) &&
          !ir::gives_output(def_.buffers[index].access)) {
        continue;
      }
      return bad_inputs("{}: {} and {} are one buffer, and one of them is written; give two",
                        quote(def_.name), quote(def_.buffers[k].name),
                        quote(def_.buffers[index].name));
    }
    return {};
  }

  const ir::SequenceDef& def_;
  Slots& slots_;
  std::size_t next_buffer_ = 0;
  std::size_t next_symbol_ = 0;
};

Expected<void> place_inputs(const ir::SequenceDef& def, std::span<const Input> inputs,
                            Slots& slots) {
  std::size_t wanted = 0;
  for (const ir::Buffer& b : def.buffers) wanted += ir::takes_input(b.access) ? 1 : 0;
  if (wanted != inputs.size()) {
    return bad_inputs("{}: {} inputs given, {} wanted: one per read and read_write buffer",
                      quote(def.name), inputs.size(), wanted);
  }
  std::size_t next = 0;
  for (std::size_t k = 0; k < def.buffers.size(); ++k) {
    if (!ir::takes_input(def.buffers[k].access)) continue;
    const Input& input = inputs[next++];
    if (input.empty()) {
      return bad_inputs("{}: input {} is empty; give at least one {}", quote(def.name),
                        quote(def.buffers[k].name), ir::element_name(def.buffers[k]));
    }
    slots.buffers[k].from = input.data();
    slots.buffers[k].bytes = input.size();
  }
  return {};
}

}  // namespace

Expected<void> place(const ir::Sequence& sequence, std::span<const Arg> args, Slots& slots) {
  Placer placer(sequence, slots);
  for (const Arg& arg : args) VYRE_TRY_VOID(placer.place(arg));
  return placer.check_complete();
}

Expected<void> place(const ir::Sequence& sequence, std::span<const Argument> arguments,
                     Slots& slots) {
  const ir::SequenceDef& def = sequence.def();
  for (const Argument& a : arguments) {
    const auto it = std::ranges::find(def.symbols, a.name, &ir::Symbol::name);
    if (it == def.symbols.end() || it->kind == ir::SymbolKind::tunable) {
      std::vector<std::string> names;
      for (const ir::Symbol& s : def.symbols) {
        if (s.kind != ir::SymbolKind::tunable) names.push_back(s.name);
      }
      return bad_inputs("{}: there is no shape or scalar {}{}", quote(def.name), quote(a.name),
                        did_you_mean(a.name, names));
    }
    if (ir::byte_size(it->type) == 4 && a.bits > std::numeric_limits<std::uint32_t>::max()) {
      return bad_inputs("{}: {} does not fit in a {}", quote(def.name), quote(it->name),
                        ir::name_of(it->type));
    }
    slots.symbols[static_cast<std::size_t>(it - def.symbols.begin())] = a.bits;
  }
  return {};
}

Expected<void> place(const ir::Sequence& sequence, const Call& call, Outputs* outputs,
                     Slots& slots) {
  slots.is_on_host = true;
  slots.outputs = outputs;
  VYRE_TRY_VOID(place(sequence, call.arguments, slots));
  return place_inputs(sequence.def(), call.inputs, slots);
}

}  // namespace vyre::backend
