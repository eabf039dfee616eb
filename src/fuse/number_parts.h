// NumberParts: the numbers that the index of a store is made of, and how they follow from it.
//
// A program that stores element y * w + x, with x < w, has the parts y and x. Element e has y = e /
// w and x = e mod w, so a program that knows e knows both. A part is looked at as a polynomial, so
// nothing has to be known of a variable but its value.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bounds/accesses.h"
#include "fuse/producer.h"
#include "vyre/program.h"

namespace vyre::fuse {

struct NumberPart {
  NumberDigit::Kind kind = NumberDigit::Kind::variable;
  std::uint32_t index = 0;  // as NumberDigit::index
  bounds::Poly value{};
};

// A part with its stride: (e mod the stride before it) / stride is its value.
struct PartDigit {
  NumberPart part{};
  bounds::Poly stride{};
};

// Several lists of parts, one after the other: the variables that the expression is written with;
// the variables that these are made of; and so on, and at last ids and turns. Only numbers that
// differ between invocations or turns are parts.
std::vector<std::vector<NumberPart>> parts_of(const ir::Program& program,
                                              const bounds::Accesses& accesses,
                                              const bounds::MemoryAccess& access);

// The digits of the access's index, outermost first. None if it is not proved that each of them
// follows from the index, or if something else is left of the index that differs between
// invocations or turns.
std::optional<std::vector<PartDigit>> digits_of(bounds::Accesses& accesses,
                                                const bounds::MemoryAccess& access,
                                                std::span<const NumberPart> parts);

// The atoms of the polynomial that differ between invocations or turns.
std::vector<bounds::Atom> varying_atoms(const bounds::Accesses& accesses, const bounds::Poly& p);

}  // namespace vyre::fuse
