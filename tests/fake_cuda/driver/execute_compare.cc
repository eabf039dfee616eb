#include "fake_cuda/driver/execute_compare.h"

#include "fake_cuda/driver/floats.h"
#include "fake_cuda/driver/handlers.h"

namespace fake_cuda {
namespace {

struct Half {
  double value;
};

template <class T>
auto comparable(const Thread& thread, const Instruction& at, std::uint32_t slot) {
  if constexpr (std::is_same_v<T, Half>) {
    return half_to_double(get<U16>(thread, slot));
  } else if constexpr (std::is_same_v<T, float>) {
    const float value = get<float>(thread, slot);
    return at.ftz ? flushed(value) : value;
  } else {
    return get<T>(thread, slot);
  }
}

template <class T>
bool ordered(Compare compare, T a, T b) {
  switch (compare) {
    case Compare::kEq:
    case Compare::kEqu:
      return a == b;
    case Compare::kNe:
    case Compare::kNeu:
      return a != b;
    case Compare::kLt:
    case Compare::kLtu:
      return a < b;
    case Compare::kLe:
    case Compare::kLeu:
      return a <= b;
    case Compare::kGt:
    case Compare::kGtu:
      return a > b;
    case Compare::kGe:
    case Compare::kGeu:
      return a >= b;
    case Compare::kNum:
      return true;
    case Compare::kNan:
      return false;
  }
  return false;
}

bool of_nan(Compare compare) { return compare >= Compare::kEqu && compare != Compare::kNum; }

template <class T>
bool compared(const Thread& thread, const Instruction& at) {
  const auto a = comparable<T>(thread, at, at.a), b = comparable<T>(thread, at, at.b);
  if constexpr (std::is_floating_point_v<decltype(+a)>) {
    if (std::isnan(a) || std::isnan(b)) return of_nan(at.compare);
  }
  return ordered(at.compare, a, b);
}

bool combined(const Thread& thread, const Instruction& at, bool value) {
  if (at.combine == Combine::kNone) return value;
  const bool other = get<bool>(thread, at.c) != at.negate_c;
  switch (at.combine) {
    case Combine::kAnd:
      return value && other;
    case Combine::kOr:
      return value || other;
    default:
      return value != other;
  }
}

template <class T>
void setp(Thread& thread, const Instruction& at) {
  const bool value = compared<T>(thread, at);
  const bool first = combined(thread, at, value);
  if (at.e != kNoSlot) set(thread, at.e, combined(thread, at, !value));
  set(thread, at.d, first);
}

template <class T>
void set_mask(Thread& thread, const Instruction& at) {
  set(thread, at.d, combined(thread, at, compared<T>(thread, at)) ? ~U32{0} : U32{0});
}

template <class T>
void set_one(Thread& thread, const Instruction& at) {
  set(thread, at.d, combined(thread, at, compared<T>(thread, at)) ? 1.0F : 0.0F);
}

// One handler for each type of the values that are compared.
template <template <class> class Make>
Handler for_type(Type type) {
  switch (type) {
    case Type::kB16:
    case Type::kU16:
      return Make<U16>::handler;
    case Type::kB32:
    case Type::kU32:
      return Make<U32>::handler;
    case Type::kB64:
    case Type::kU64:
      return Make<U64>::handler;
    case Type::kS16:
      return Make<S16>::handler;
    case Type::kS32:
      return Make<S32>::handler;
    case Type::kS64:
      return Make<S64>::handler;
    case Type::kF16:
      return Make<Half>::handler;
    case Type::kF32:
      return Make<float>::handler;
    case Type::kF64:
      return Make<double>::handler;
    default:
      return nullptr;
  }
}

template <class T>
struct MakeSetp {
  static constexpr Handler handler = setp<T>;
};
template <class T>
struct MakeMask {
  static constexpr Handler handler = set_mask<T>;
};
template <class T>
struct MakeOne {
  static constexpr Handler handler = set_one<T>;
};

template <class T>
void slct(Thread& thread, const Instruction& at) {
  const T condition = comparable<T>(thread, at, at.c);
  thread.r[at.d] = thread.r[condition >= T{0} ? at.a : at.b];
}

}  // namespace

Handler setp_handler(Type type) { return for_type<MakeSetp>(type); }

Handler set_handler(Type to, Type from) {
  if (to == Type::kU32 || to == Type::kS32) return for_type<MakeMask>(from);
  if (to == Type::kF32) return for_type<MakeOne>(from);
  return nullptr;
}

Handler slct_handler(Type of_condition) {
  if (of_condition == Type::kS32) return slct<S32>;
  if (of_condition == Type::kF32) return slct<float>;
  return nullptr;
}

void select(Thread& thread, const Instruction& at) {
  thread.r[at.d] = thread.r[get<bool>(thread, at.c) ? at.a : at.b];
}

}  // namespace fake_cuda
