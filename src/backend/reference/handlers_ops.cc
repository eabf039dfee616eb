#include "backend/reference/handlers_ops.h"

#include <array>

#include "backend/reference/lanes.h"
#include "ir/native.h"
#include "ir/ops.h"

namespace vyre::backend::reference {
namespace {

using ir::Op;
using ir::Rule;
using ir::Scalar;

// dst = f(a, b, c) in every lane; operands beyond `arity` are not read.
template <int arity, class T, class Second, class F>
void apply(Machine& m, const Instr& i, F f) {
  const auto* a = m.reg<Stored<T>>(i.a);
  [[maybe_unused]] const auto* b = m.reg<Stored<Second>>(i.b);
  [[maybe_unused]] const auto* c = m.reg<Stored<T>>(i.c);
  using Result = decltype(f(T{}, Second{}, T{}));
  auto* dst = m.reg<Stored<Result>>(i.dst);
  for_lanes(m, [=](std::uint32_t l) {
    Second second{};
    T third{};
    if constexpr (arity > 1) second = static_cast<Second>(b[l]);
    if constexpr (arity > 2) third = static_cast<T>(c[l]);
    dst[l] = Stored<Result>(f(static_cast<T>(a[l]), second, third));
  });
}

// One function per row of ops.def and type that the row takes.
template <class T>
Handler handler_of(Op op) {
  using namespace ir;
  switch (op) {
#define VYRE_OP(name, arity, rule, spelling, meaning)                                             \
  case Op::name:                                                                                  \
    if constexpr (takes<T>(Rule::rule)) {                                                         \
      using U = Second<T, Rule::rule>;                                                            \
      return [](Machine& m, const Instr& i) {                                                     \
        apply<arity, T, U>(m, i,                                                                  \
                           []([[maybe_unused]] T a, [[maybe_unused]] U b, [[maybe_unused]] T c) { \
                             return meaning;                                                      \
                           });                                                                    \
      };                                                                                          \
    } else {                                                                                      \
      return nullptr;                                                                             \
    }
#include "vyre/ops.def"
    default:
      return nullptr;
  }
}

}  // namespace

Handler table_handler(Op op, Scalar operand) {
  return ir::with_type(operand, [&](auto t) -> Handler { return handler_of<decltype(t)>(op); });
}

Handler cast_handler(Scalar from, Scalar to) {
  return ir::with_type(from, [&](auto source) -> Handler {
    return ir::with_type(to, [&](auto target) -> Handler {
      using From = decltype(source);
      using To = decltype(target);
      return [](Machine& m, const Instr& i) {
        apply<1, From, From>(m, i, [](From a, From, From) { return ir::total_cast<To>(a); });
      };
    });
  });
}

Handler select_handler(Scalar value) {
  return ir::with_type(value, [](auto t) -> Handler {
    using S = Stored<decltype(t)>;
    return [](Machine& m, const Instr& i) {
      const S* a = m.reg<S>(i.a);
      const S* b = m.reg<S>(i.b);
      const auto* c = m.reg<std::uint32_t>(i.c);
      S* dst = m.reg<S>(i.dst);
      for_lanes(m, [=](std::uint32_t l) { dst[l] = c[l] != 0 ? a[l] : b[l]; });
    };
  });
}

Handler copy_handler(Scalar value) {
  return ir::with_type(value, [](auto t) -> Handler {
    using S = Stored<decltype(t)>;
    return [](Machine& m, const Instr& i) {
      const S* a = m.reg<S>(i.a);
      S* dst = m.reg<S>(i.dst);
      for_lanes(m, [=](std::uint32_t l) { dst[l] = a[l]; });
    };
  });
}

}  // namespace vyre::backend::reference
