// The handles that a kernel is written with: Value, Var, Array, and C++ literals among them.
//
// They read as in C++. A Value has the value that it had where it was written: `auto t = y[i];`
// loads there and then, whatever is stored later. A literal takes the type of the other operand
// if that type holds it exactly (`i * 2`, `0.5f * a`); where there is no other operand, a whole
// number is a u32, a real one an f32.
//
// `&&` and `||` evaluate both sides. `!` takes a bool, `~` an integer or a bool. The functions of
// ops.def (min, exp, fma, ...), select, cast, bitcast and length are found by their arguments.
// Operands of one C++ expression are recorded in the order in which the compiler evaluates them.
//
// Nothing here fails: the builder keeps the first mistake, `build` returns it, and everything after
// it is ignored. Handles may be copied and may outlive their builder, but using one after the build
// or in another program is a mistake. Not thread-safe within one builder.

#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <source_location>
#include <type_traits>
#include <utility>

#include "vyre/program.h"

namespace vyre::ir {

inline constexpr Scalar boolean = Scalar::boolean;
inline constexpr Scalar u32 = Scalar::u32;
inline constexpr Scalar i32 = Scalar::i32;
inline constexpr Scalar u64 = Scalar::u64;
inline constexpr Scalar i64 = Scalar::i64;
inline constexpr Scalar f32 = Scalar::f32;

class Recorder;  // the program so far; private to the builder
class Operand;
class Value;
class Array;
using Location = std::source_location;

// Carries the operators, so that only arguments of our types find them.
struct Handle {
  friend Value operator+(const Operand& a, const Operand& b);
  friend Value operator-(const Operand& a, const Operand& b);
  friend Value operator*(const Operand& a, const Operand& b);
  friend Value operator/(const Operand& a, const Operand& b);
  friend Value operator%(const Operand& a, const Operand& b);
  friend Value operator&(const Operand& a, const Operand& b);
  friend Value operator|(const Operand& a, const Operand& b);
  friend Value operator^(const Operand& a, const Operand& b);
  friend Value operator<<(const Operand& a, const Operand& b);
  friend Value operator>>(const Operand& a, const Operand& b);
  friend Value operator==(const Operand& a, const Operand& b);
  friend Value operator!=(const Operand& a, const Operand& b);
  friend Value operator<(const Operand& a, const Operand& b);
  friend Value operator<=(const Operand& a, const Operand& b);
  friend Value operator>(const Operand& a, const Operand& b);
  friend Value operator>=(const Operand& a, const Operand& b);
  friend Value operator&&(const Operand& a, const Operand& b);
  friend Value operator||(const Operand& a, const Operand& b);
  friend Value operator!(const Operand& a);
  friend Value operator~(const Operand& a);
  friend Value operator-(const Operand& a);

#define VYRE_OPERANDS_1 const Operand& a
#define VYRE_OPERANDS_2 const Operand &a, const Operand &b
#define VYRE_OPERANDS_3 const Operand &a, const Operand &b, const Operand &c
#define VYRE_OP(name, arity, rule, c, meaning) friend Value name(VYRE_OPERANDS_##arity);
#include "vyre/ops.def"

  friend Value select(const Operand& condition, const Operand& if_true, const Operand& if_false);
  friend Value length(const Array& array);
};

// A value of the kernel, computed where it was written. Empty when default-made, and after a
// mistake.
class Value : public Handle {
 public:
  Value() = default;

  // Element `i`, a literal, of a vector.
  Value operator[](const Operand& i) const;

 private:
  friend class Recorder;
  friend class Operand;
  std::shared_ptr<Recorder> recorder_;
  std::uint32_t node_ = kNone;
};

// A mutable variable of the kernel. Reading it gives the value of that moment, so it cannot be
// copied: write `Value old = acc;`.
class Var : public Handle {
 public:
  Var(const Var&) = delete;
  Var& operator=(const Var& other);
  Var& operator=(const Operand& value);
  Var& operator+=(const Operand& value);
  Var& operator-=(const Operand& value);
  Var& operator*=(const Operand& value);
  Var& operator/=(const Operand& value);
  Var& operator&=(const Operand& value);
  Var& operator|=(const Operand& value);
  Var& operator^=(const Operand& value);
  Var& operator<<=(const Operand& value);
  Var& operator>>=(const Operand& value);

  operator Value() const;

 private:
  friend class Recorder;
  friend class Operand;
  Var(std::shared_ptr<Recorder> recorder, std::uint32_t variable)
      : recorder_(std::move(recorder)), variable_(variable) {}
  Var& update(Op op, const Operand& value);
  std::shared_ptr<Recorder> recorder_;
  std::uint32_t variable_ = kNone;
};

// x[i]: the value loaded there, and a place to store to. Storing works only as `x[i] = ...`: after
// `auto v = x[i];` the name v stands for the value.
class Element : public Value {
 public:
  Element(const Element&) = default;
  void operator=(const Element& value) &&;
  void operator=(const Operand& value) &&;
  void operator+=(const Operand& value) &&;
  void operator-=(const Operand& value) &&;
  void operator*=(const Operand& value) &&;
  void operator/=(const Operand& value) &&;
  void operator&=(const Operand& value) &&;
  void operator|=(const Operand& value) &&;
  void operator^=(const Operand& value) &&;

 private:
  friend class Array;
  explicit Element(Value loaded) : Value(std::move(loaded)) {}
  void store(const Operand& value) const;
  void update(Op op, const Operand& value) const;
};

// A buffer, or a local or private array, of the kernel. load2, load4, store2 and store4 access the
// elements from index * width on.
class Array : public Handle {
 public:
  Element operator[](const Operand& index) const;
  Value load2(const Operand& index) const;
  Value load4(const Operand& index) const;
  void store2(const Operand& index, const Operand& value) const;
  void store4(const Operand& index, const Operand& value) const;

 private:
  friend class Recorder;
  std::shared_ptr<Recorder> recorder_;
  std::uint32_t buffer_ = kNone;
};

// A C++ number or bool, its type not yet decided.
struct Literal {
  enum class Kind : std::uint8_t { truth, whole, real };
  Kind kind = Kind::whole;
  bool negative = false;        // whole
  std::uint64_t magnitude = 0;  // whole, truth
  double real = 0;
};

// The argument of operators and builder methods: any of the above, with its place in the C++
// source. Made by conversion; not meant to be kept.
class Operand {
 public:
  Operand() = default;  // not given
  Operand(const Value& value, Location at = Location::current()) : value_(value), at_(at) {}
  Operand(const Var& variable, Location at = Location::current());

  template <std::integral T>
  Operand(T number, Location at = Location::current()) : is_literal_(true), at_(at) {
    literal_.kind = std::is_same_v<T, bool> ? Literal::Kind::truth : Literal::Kind::whole;
    literal_.negative = std::cmp_less(static_cast<std::int64_t>(number), 0) && std::is_signed_v<T>;
    const auto bits = static_cast<std::uint64_t>(number);
    literal_.magnitude = literal_.negative ? 0 - bits : bits;
  }

  template <std::floating_point T>
  Operand(T number, Location at = Location::current()) : is_literal_(true), at_(at) {
    literal_.kind = Literal::Kind::real;
    literal_.real = static_cast<double>(number);
  }

 private:
  friend class Recorder;
  Value value_;
  Literal literal_;
  bool is_literal_ = false;
  Location at_;
};

// Float to integer saturates, NaN gives 0; to bool is `!= 0`.
Value cast(Scalar to, const Operand& value);
// The same bits as another type of the same size.
Value bitcast(Scalar to, const Operand& value);

template <Scalar to>
Value cast(const Operand& value) {
  return cast(to, value);
}

}  // namespace vyre::ir
