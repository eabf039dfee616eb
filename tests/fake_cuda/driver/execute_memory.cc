#include "fake_cuda/driver/execute_memory.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "fake_cuda/driver/floats.h"
#include "fake_cuda/driver/handlers.h"

namespace fake_cuda {
namespace {

const std::uint32_t* list_of(const Thread& thread, const Instruction& at) {
  return thread.frames.back().code->lists.data() + at.list;
}

template <class T>
T read(const std::uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <class T>
void write(std::uint8_t* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

template <class T>
void load(Thread& thread, const Instruction& at) {
  const std::uint8_t* from =
      reach(thread, at, static_cast<std::uint32_t>(sizeof(T)) * at.count, false);
  if (from == nullptr) return;
  if (at.count == 1) return set(thread, at.d, read<T>(from));
  const std::uint32_t* list = list_of(thread, at);
  for (std::uint32_t k = 0; k < at.count; ++k) set(thread, list[k], read<T>(from + k * sizeof(T)));
}

template <class T>
void store(Thread& thread, const Instruction& at) {
  std::uint8_t* to = reach(thread, at, static_cast<std::uint32_t>(sizeof(T)) * at.count, true);
  if (to == nullptr) return;
  if (at.count == 1) return write(to, get<T>(thread, at.b));
  const std::uint32_t* list = list_of(thread, at);
  for (std::uint32_t k = 0; k < at.count; ++k) write(to + k * sizeof(T), get<T>(thread, list[k]));
}

// Blocks and threads run one after another, so a read and a write are one step.
template <class T, class Op>
void atomic(Thread& thread, const Instruction& at) {
  std::uint8_t* place = reach(thread, at, sizeof(T), true);
  if (place == nullptr) return;
  const T old = read<T>(place);
  write<T>(place, Op::of(old, get<T>(thread, at.b), at.c != kNoSlot ? get<T>(thread, at.c) : T{}));
  set(thread, at.d, old);
}

struct AtomicAdd {
  template <class T>
  static T of(T old, T b, T) {
    if constexpr (std::is_same_v<T, float>) {
      const float sum = old + b;
      return std::isnan(sum) ? card_nan() : sum;
    } else {
      return static_cast<T>(old + b);
    }
  }
};
struct AtomicMin {
  template <class T>
  static T of(T old, T b, T) {
    return std::min(old, b);
  }
};
struct AtomicMax {
  template <class T>
  static T of(T old, T b, T) {
    return std::max(old, b);
  }
};
struct AtomicInc {
  template <class T>
  static T of(T old, T b, T) {
    return old >= b ? T{0} : static_cast<T>(old + 1);
  }
};
struct AtomicDec {
  template <class T>
  static T of(T old, T b, T) {
    return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
};
struct AtomicExch {
  template <class T>
  static T of(T, T b, T) {
    return b;
  }
};
struct AtomicCas {
  template <class T>
  static T of(T old, T b, T c) {
    return old == b ? c : old;
  }
};
struct AtomicAnd {
  template <class T>
  static T of(T old, T b, T) {
    return static_cast<T>(old & b);
  }
};
struct AtomicOr {
  template <class T>
  static T of(T old, T b, T) {
    return static_cast<T>(old | b);
  }
};
struct AtomicXor {
  template <class T>
  static T of(T old, T b, T) {
    return static_cast<T>(old ^ b);
  }
};

struct AtomicRow {
  std::string_view operation;
  Type type;
  Handler handler;
};

constexpr std::array kAtomics{
    AtomicRow{"add", Type::kU32, atomic<U32, AtomicAdd>},
    AtomicRow{"add", Type::kS32, atomic<U32, AtomicAdd>},
    AtomicRow{"add", Type::kU64, atomic<U64, AtomicAdd>},
    AtomicRow{"add", Type::kS64, atomic<U64, AtomicAdd>},
    AtomicRow{"add", Type::kF32, atomic<float, AtomicAdd>},
    AtomicRow{"add", Type::kF64, atomic<double, AtomicAdd>},
    AtomicRow{"min", Type::kU32, atomic<U32, AtomicMin>},
    AtomicRow{"min", Type::kS32, atomic<S32, AtomicMin>},
    AtomicRow{"min", Type::kU64, atomic<U64, AtomicMin>},
    AtomicRow{"min", Type::kS64, atomic<S64, AtomicMin>},
    AtomicRow{"max", Type::kU32, atomic<U32, AtomicMax>},
    AtomicRow{"max", Type::kS32, atomic<S32, AtomicMax>},
    AtomicRow{"max", Type::kU64, atomic<U64, AtomicMax>},
    AtomicRow{"max", Type::kS64, atomic<S64, AtomicMax>},
    AtomicRow{"inc", Type::kU32, atomic<U32, AtomicInc>},
    AtomicRow{"dec", Type::kU32, atomic<U32, AtomicDec>},
    AtomicRow{"exch", Type::kB32, atomic<U32, AtomicExch>},
    AtomicRow{"exch", Type::kB64, atomic<U64, AtomicExch>},
    AtomicRow{"cas", Type::kB16, atomic<U16, AtomicCas>},
    AtomicRow{"cas", Type::kB32, atomic<U32, AtomicCas>},
    AtomicRow{"cas", Type::kB64, atomic<U64, AtomicCas>},
    AtomicRow{"and", Type::kB32, atomic<U32, AtomicAnd>},
    AtomicRow{"and", Type::kB64, atomic<U64, AtomicAnd>},
    AtomicRow{"or", Type::kB32, atomic<U32, AtomicOr>},
    AtomicRow{"or", Type::kB64, atomic<U64, AtomicOr>},
    AtomicRow{"xor", Type::kB32, atomic<U32, AtomicXor>},
    AtomicRow{"xor", Type::kB64, atomic<U64, AtomicXor>},
};

std::uint64_t window_of(Space space) {
  switch (space) {
    case Space::kShared:
      return kSharedWindow;
    case Space::kLocal:
      return kLocalWindow;
    case Space::kParam:
      return kParamWindow;
    default:
      return 0;  // global and constant memory have their generic addresses
  }
}

}  // namespace

Handler load_handler(Type type) {
  switch (type) {
    case Type::kS8:
      return load<S8>;
    case Type::kS16:
      return load<S16>;
    case Type::kS32:
      return load<S32>;
    case Type::kPred:
    case Type::kNone:
      return nullptr;
    default:
      break;
  }
  constexpr std::array<Handler, 9> by_bytes{nullptr, load<U8>, load<U16>, nullptr,  load<U32>,
                                            nullptr, nullptr,  nullptr,   load<U64>};
  return by_bytes[bytes_of(type)];
}

Handler store_handler(Type type) {
  if (type == Type::kPred || type == Type::kNone) return nullptr;
  constexpr std::array<Handler, 9> by_bytes{nullptr, store<U8>, store<U16>, nullptr,   store<U32>,
                                            nullptr, nullptr,   nullptr,    store<U64>};
  return by_bytes[bytes_of(type)];
}

Handler atomic_handler(std::string_view operation, Type type) {
  for (const AtomicRow& row : kAtomics) {
    if (row.operation == operation && row.type == type) return row.handler;
  }
  return nullptr;
}

void copy(Thread& thread, const Instruction& at) { thread.r[at.d] = thread.r[at.a]; }

void pack(Thread& thread, const Instruction& at) {
  const std::uint32_t* list = list_of(thread, at);
  const std::uint32_t width = bytes_of(at.to) * 8 / at.count;
  std::uint64_t bits = 0;
  for (std::uint32_t k = 0; k < at.count; ++k) {
    bits |= (thread.r[list[k]] & ((std::uint64_t{1} << width) - 1)) << (k * width);
  }
  thread.r[at.d] = bits;
}

void unpack(Thread& thread, const Instruction& at) {
  const std::uint32_t* list = list_of(thread, at);
  const std::uint32_t width = bytes_of(at.to) * 8 / at.count;
  const std::uint64_t bits = thread.r[at.a];
  for (std::uint32_t k = 0; k < at.count; ++k) {
    thread.r[list[k]] = bits >> (k * width) & ((std::uint64_t{1} << width) - 1);
  }
}

void to_generic(Thread& thread, const Instruction& at) {
  thread.r[at.d] = thread.r[at.a] + window_of(at.space);
}

void from_generic(Thread& thread, const Instruction& at) {
  thread.r[at.d] = thread.r[at.a] - window_of(at.space);
}

void is_in_space(Thread& thread, const Instruction& at) {
  const std::uint64_t address = thread.r[at.a];
  const bool global = at.space == Space::kGlobal;
  set(thread, at.d,
      global ? address >= kGlobalStart : address - window_of(at.space) < kWindowBytes);
}

}  // namespace fake_cuda
