#include "backend/reference/handlers_memory.h"

#include <atomic>

#include "backend/reference/lanes.h"
#include "backend/reference/race_detector.h"
#include "ir/native.h"

namespace vyre::backend::reference {
namespace {

using ir::AtomicOp;
using ir::Scalar;

// A negative index becomes a very large one, so it is outside the buffer.
template <class Index>
std::uint64_t position(Index index) {
  return static_cast<std::uint64_t>(index);
}

// Other workgroups run on other threads, and a program may have races. With relaxed atomics a race
// is an error of the program only, not undefined behaviour of the interpreter; they cost nothing on
// the machines we run on.
template <Place place, class T>
T get(T& cell) {
  if constexpr (place == Place::global) {
    return std::atomic_ref<T>(cell).load(std::memory_order_relaxed);
  } else {
    return cell;
  }
}

template <Place place, class T>
void put(T& cell, T value) {
  if constexpr (place == Place::global) {
    std::atomic_ref<T>(cell).store(value, std::memory_order_relaxed);
  } else {
    cell = value;
  }
}

// Private arrays keep element k of all lanes together.
template <Place place>
std::uint64_t cell_of(const Machine& m, std::uint64_t element, std::uint32_t lane) {
  if constexpr (place == Place::private_) return element * (m.blocks * kLaneBlock) + lane;
  return element;
}

template <class T, class Index, Place place>
void load(Machine& m, const Instr& i) {
  const Storage& storage = m.buffers[i.buffer];
  T* data = reinterpret_cast<T*>(storage.data);
  const Index* index = m.reg<Index>(i.a);
  T* dst = m.reg<T>(i.dst);
  const std::uint32_t width = i.c;
  const std::uint32_t stride = m.blocks * kLaneBlock;
  const std::uint64_t count = width == 1 ? storage.length : storage.length / width;
  for (std::uint32_t l = 0; l < m.lanes; ++l) {
    const std::uint64_t at = position(index[l]);
    const bool inside = at < count;
    for (std::uint32_t k = 0; k < width; ++k) {
      dst[k * stride + l] = inside ? get<place>(data[cell_of<place>(m, at * width + k, l)]) : T{};
    }
  }
}

template <class T, class Index, Place place>
void store(Machine& m, const Instr& i) {
  const Storage& storage = m.buffers[i.buffer];
  T* data = reinterpret_cast<T*>(storage.data);
  const Index* index = m.reg<Index>(i.a);
  const T* value = m.reg<T>(i.b);
  const auto* mask = m.reg<std::uint32_t>(i.dst);
  const std::uint32_t width = i.c;
  const std::uint32_t stride = m.blocks * kLaneBlock;
  const std::uint64_t count = width == 1 ? storage.length : storage.length / width;
  for (std::uint32_t l = 0; l < m.lanes; ++l) {
    const std::uint64_t at = position(index[l]);
    if (mask[l] == 0 || at >= count) continue;
    for (std::uint32_t k = 0; k < width; ++k) {
      put<place>(data[cell_of<place>(m, at * width + k, l)], value[k * stride + l]);
    }
  }
}

template <AtomicOp op, class T>
T combined(T old, T value, T expected) {
  switch (op) {
    case AtomicOp::add:
      return ir::wrap_add(old, value);
    case AtomicOp::min:
      return ir::total_min(old, value);
    case AtomicOp::max:
      return ir::total_max(old, value);
    case AtomicOp::exchange:
      return value;
    case AtomicOp::compare_exchange:
      return old == expected ? value : old;
  }
  return old;
}

template <AtomicOp op, Place place, class T>
T update(T& cell, T value, T expected) {
  if constexpr (place != Place::global) {
    const T old = cell;
    cell = combined<op>(old, value, expected);
    return old;
  } else {
    const std::atomic_ref<T> shared(cell);
    T old = shared.load(std::memory_order_relaxed);
    while (!shared.compare_exchange_weak(old, combined<op>(old, value, expected),
                                         std::memory_order_relaxed)) {
    }
    return old;
  }
}

template <AtomicOp op, class T, class Index, Place place>
void atomic(Machine& m, const Instr& i) {
  const Storage& storage = m.buffers[i.buffer];
  T* data = reinterpret_cast<T*>(storage.data);
  const Index* index = m.reg<Index>(i.a);
  const T* value = m.reg<T>(i.b);
  const T* expected = m.reg<T>(i.c);
  T* old = m.reg<T>(i.dst);
  const auto* mask = m.reg<std::uint32_t>(i.target);
  for (std::uint32_t l = 0; l < m.lanes; ++l) {
    const std::uint64_t at = position(index[l]);
    const bool acts = mask[l] != 0 && at < storage.length;
    old[l] = acts ? update<op, place>(data[at], value[l], expected[l]) : T{};
  }
}

// Calls f with the C++ type of an index; other types never get here (validate).
template <class F>
Handler with_index(Scalar scalar, F f) {
  return ir::with_type(scalar, [&](auto t) -> Handler {
    using T = decltype(t);
    if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
      return nullptr;
    } else {
      return f(t);
    }
  });
}

template <class F>
Handler with_element(Scalar scalar, F f) {
  return ir::with_type(scalar, [&](auto t) -> Handler {
    if constexpr (std::is_same_v<decltype(t), bool>) {
      return nullptr;
    } else {
      return f(t);
    }
  });
}

template <AtomicOp op>
Handler atomic_of(Scalar element, Scalar index, Place place) {
  return with_index(index, [&](auto at) -> Handler {
    using Index = decltype(at);
    const bool global = place == Place::global;
    if (element == Scalar::i32) {
      return global ? &atomic<op, std::int32_t, Index, Place::global>
                    : &atomic<op, std::int32_t, Index, Place::local>;
    }
    return global ? &atomic<op, std::uint32_t, Index, Place::global>
                  : &atomic<op, std::uint32_t, Index, Place::local>;
  });
}

}  // namespace

Place place_of(ir::Access access) {
  switch (access) {
    case ir::Access::read:
      return Place::constant;
    case ir::Access::local:
      return Place::local;
    case ir::Access::private_:
      return Place::private_;
    default:
      return Place::global;
  }
}

Handler load_handler(Scalar element, Scalar index, Place place) {
  return with_element(element, [&](auto value) -> Handler {
    return with_index(index, [&](auto at) -> Handler {
      using T = decltype(value);
      using Index = decltype(at);
      if (place == Place::private_) return &load<T, Index, Place::private_>;
      return place == Place::global ? &load<T, Index, Place::global>
                                    : &load<T, Index, Place::constant>;
    });
  });
}

Handler store_handler(Scalar element, Scalar index, Place place) {
  return with_element(element, [&](auto value) -> Handler {
    return with_index(index, [&](auto at) -> Handler {
      using T = decltype(value);
      using Index = decltype(at);
      if (place == Place::private_) return &store<T, Index, Place::private_>;
      return place == Place::global ? &store<T, Index, Place::global>
                                    : &store<T, Index, Place::local>;
    });
  });
}

Handler atomic_handler(AtomicOp op, Scalar element, Scalar index, Place place) {
  switch (op) {
    case AtomicOp::add:
      return atomic_of<AtomicOp::add>(element, index, place);
    case AtomicOp::min:
      return atomic_of<AtomicOp::min>(element, index, place);
    case AtomicOp::max:
      return atomic_of<AtomicOp::max>(element, index, place);
    case AtomicOp::exchange:
      return atomic_of<AtomicOp::exchange>(element, index, place);
    case AtomicOp::compare_exchange:
      return atomic_of<AtomicOp::compare_exchange>(element, index, place);
  }
  return nullptr;
}

Handler race_handler(Scalar index) {
  return with_index(index, [](auto at) -> Handler {
    using Index = decltype(at);
    return [](Machine& m, const Instr& i) {
      const auto* mask = m.reg<std::uint32_t>(i.a);
      const Index* indices = m.reg<Index>(i.b);
      const std::uint64_t count = m.buffers[i.buffer].length / i.c;
      for (std::uint32_t l = 0; l < m.lanes; ++l) {
        const std::uint64_t first = position(indices[l]);
        if (mask[l] == 0 || first >= count) continue;
        for (std::uint64_t k = 0; k < i.c; ++k) {
          m.races->access({i.buffer, first * i.c + k}, {l, i.target, static_cast<Touch>(i.dst)});
        }
      }
    };
  });
}

}  // namespace vyre::backend::reference
