#include "bounds/radix.h"

#include <algorithm>

namespace vyre::bounds {

std::optional<Poly> factor_of(const Poly& p, Atom atom) {
  const Monomial by{{atom}, 1};
  Poly out;
  for (const Term& t : p.terms()) {
    const auto rest = t.monomial.divided_by(by);
    if (!rest) continue;
    if (rest->divided_by(by)) return std::nullopt;
    out = out + Poly(t.coefficient).times(1, *rest);
  }
  return out;
}

bool has_atom(const Poly& p, Atom atom) {
  return std::ranges::any_of(p.terms(), [&](const Term& t) {
    return t.monomial.divided_by(Monomial{{atom}, 1}).has_value();
  });
}

std::optional<Atom> as_atom(const Poly& p) {
  if (!p.is_known() || p.terms().size() != 1 || p.terms()[0].monomial.degree != 1) {
    return std::nullopt;
  }
  return p.terms()[0].coefficient == 1 ? std::optional(p.terms()[0].monomial.atoms[0])
                                       : std::nullopt;
}

std::optional<Poly> exact_quotient(const Poly& p, const Poly& divisor) {
  if (!p.is_known() || divisor.terms().size() != 1) return std::nullopt;
  const Term& by = divisor.terms()[0];
  Poly out;
  for (const Term& t : p.terms()) {
    const auto rest = t.monomial.divided_by(by.monomial);
    if (!rest || t.coefficient % by.coefficient != 0) return std::nullopt;
    out = out + Poly(t.coefficient / by.coefficient).times(1, *rest);
  }
  return out;
}

struct Radix::Search {
  std::span<const RadixAxis> axes;
  std::span<const RadixDigit> digits;
  std::span<const Atom> zeros;
  std::span<const Poly> guards;
  std::vector<std::size_t> axis_of{};  // by digit
  std::vector<Poly> strides{};
  std::vector<bool> is_placed{};
  std::vector<std::optional<Poly>> extents{};  // by digit, once it is placed; none: all that occur
};

bool Radix::covers(std::span<const RadixAxis> axes, std::span<const RadixDigit> digits,
                   std::span<const Atom> zeros, std::span<const Poly> guards) {
  Search search{axes, digits, zeros, guards};
  std::vector<Poly> rest;
  for (const RadixAxis& axis : axes) rest.push_back(axis.number);
  for (const RadixDigit& d : digits) {
    std::size_t users = 0;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      if (!has_atom(axes[k].number, d.atom)) continue;
      const auto stride = factor_of(axes[k].number, d.atom);
      if (!stride || !is_uniform_(*stride) || ++users > 1) return false;
      search.axis_of.push_back(k);
      search.strides.push_back(*stride);
      rest[k] = rest[k] - *stride * Poly::of(d.atom);
    }
    if (users == 0) return false;
  }
  if (std::ranges::any_of(rest, [](const Poly& r) { return r != Poly(0); })) return false;
  if (!std::ranges::all_of(axes, [&](const RadixAxis& a) { return is_uniform_(a.count); })) {
    return false;
  }
  search.is_placed.assign(digits.size(), false);
  search.extents.resize(digits.size());
  return place_axis(search, 0);
}

// Bounds on the digit: that of the digit itself, and those of guards that no other digit is in. A
// guard `extent * step - 1 - step * digit` bounds it by `extent`.
std::vector<Poly> Radix::extents_of(const Search& search, const RadixDigit& digit) const {
  std::vector<Poly> out;
  for (const Poly& guard : search.guards) {
    const auto factor = factor_of(guard, digit.atom);
    if (!factor || !is_uniform_(*factor) || factor->terms().empty()) continue;
    const Poly step = Poly(0) - *factor;
    const Poly above = guard + step * Poly::of(digit.atom) + Poly(1);
    if (!is_uniform_(above)) continue;
    const auto extent = exact_quotient(above, step);
    if (extent && std::ranges::find(out, *extent) == out.end()) out.push_back(*extent);
  }
  if (digit.extent) out.push_back(*digit.extent);
  return out;
}

bool Radix::place_axis(Search& search, std::size_t axis) {
  return axis == search.axes.size() ? verify(search) : place_digits(search, axis, Poly(1));
}

// Looks for the digit of the axis whose stride is the next one that is needed, and tries its
// extents. The last digit needs no extent if it has no end of its own.
bool Radix::place_digits(Search& search, std::size_t axis, const Poly& stride) {
  std::size_t left = 0;
  for (std::size_t k = 0; k < search.digits.size(); ++k) {
    left += search.axis_of[k] == axis && !search.is_placed[k] ? 1 : 0;
  }
  if (left == 0) {
    return facts_.holds(stride - search.axes[axis].count) && place_axis(search, axis + 1);
  }
  for (std::size_t k = 0; k < search.digits.size(); ++k) {
    const bool fits =
        search.axis_of[k] == axis && !search.is_placed[k] && search.strides[k] == stride;
    if (!fits) continue;
    search.is_placed[k] = true;
    for (const Poly& extent : extents_of(search, search.digits[k])) {
      search.extents[k] = extent;
      if (place_digits(search, axis, stride * extent)) return true;
    }
    search.extents[k].reset();
    if (left == 1 && !search.digits[k].extent && place_axis(search, axis + 1)) return true;
    search.is_placed[k] = false;
  }
  return false;
}

// Each number below `count` has its digits, below the extents. They occur if the extents are not
// larger than those of the launch, and they pass the guards if these follow.
bool Radix::verify(const Search& search) {
  for (std::size_t k = 0; k < search.digits.size(); ++k) {
    const RadixDigit& d = search.digits[k];
    if (d.extent && search.extents[k] && !facts_.holds(*d.extent - *search.extents[k])) {
      return false;
    }
  }
  const Facts::Mark mark = facts_.mark();
  for (const Atom atom : search.zeros) facts_.assume(Poly(0) - Poly::of(atom));
  for (std::size_t k = 0; k < search.digits.size(); ++k) {
    if (!search.extents[k]) continue;
    facts_.assume(*search.extents[k] - Poly(1) - Poly::of(search.digits[k].atom));
  }
  for (const RadixAxis& axis : search.axes) facts_.assume(axis.count - Poly(1) - axis.number);
  const bool all =
      std::ranges::all_of(search.guards, [&](const Poly& g) { return facts_.holds(g); });
  facts_.release(mark);
  return all;
}

// number = stride * atom + rest with 0 <= rest < stride, so the atom is number / stride for every
// invocation. The rest is decoded in the same way.
std::optional<std::vector<Radix::Digit>> Radix::decode(const Poly& number,
                                                       std::span<const Atom> atoms) {
  std::vector<Atom> left;
  for (const Atom atom : atoms) {
    if (!facts_.holds(Poly(0) - Poly::of(atom))) left.push_back(atom);
  }
  if (left.empty()) return std::vector<Digit>{};
  for (const Atom atom : left) {
    const auto stride = factor_of(number, atom);
    Poly rest;
    if (!stride || !decodes(number, atom, *stride, rest)) continue;
    std::vector<Atom> others;
    std::ranges::copy_if(left, std::back_inserter(others), [&](Atom a) { return a != atom; });
    auto inner = decode(rest, others);
    if (!inner) continue;
    inner->insert(inner->begin(), Digit{atom, *stride});
    return inner;
  }
  return std::nullopt;
}

bool Radix::decodes(const Poly& number, Atom atom, const Poly& stride, Poly& rest) {
  if (!is_uniform_(stride) || stride.terms().empty()) return false;
  rest = number - stride * Poly::of(atom);
  return facts_.holds(rest) && facts_.holds(stride - Poly(1) - rest);
}

}  // namespace vyre::bounds
