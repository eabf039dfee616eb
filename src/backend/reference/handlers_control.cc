#include "backend/reference/handlers_control.h"

#include <algorithm>

#include "backend/reference/lanes.h"
#include "backend/reference/race_detector.h"
#include "ir/native.h"

namespace vyre::backend::reference {
namespace {

using Mask = std::uint32_t;  // 0 or 1 per lane

// Threads take budget in slices, so that counting costs no contention.
constexpr std::int64_t kBudgetSlice = std::int64_t{1} << 20;

}  // namespace

bool spend(Machine& m, std::uint32_t instructions) {
  m.budget_left -= static_cast<std::int64_t>(instructions) * m.lanes;
  if (m.budget_left >= 0) return true;
  const std::int64_t want = std::max(kBudgetSlice, -m.budget_left);
  const std::int64_t left = m.budget->fetch_sub(want, std::memory_order_relaxed);
  if (left >= -m.budget_left) {
    m.budget_left += std::min(want, left);
    return true;
  }
  m.out_of_budget = true;
  m.pc = m.end;
  return false;
}

namespace control {

void enter_if(Machine& m, const Instr& i) {
  const Mask* outer = m.reg<Mask>(i.a);
  const Mask* condition = m.reg<Mask>(i.b);
  Mask* mask = m.reg<Mask>(i.dst);
  if (!any_lane(m, [=](std::uint32_t l) { return mask[l] = outer[l] & condition[l]; })) {
    m.pc = i.target;
  }
}

void enter_else(Machine& m, const Instr& i) {
  const Mask* outer = m.reg<Mask>(i.a);
  const Mask* condition = m.reg<Mask>(i.b);
  Mask* mask = m.reg<Mask>(i.dst);
  if (!any_lane(m, [=](std::uint32_t l) { return mask[l] = outer[l] & (condition[l] ^ 1U); })) {
    m.pc = i.target;
  }
}

void keep_alive(Machine& m, const Instr& i) {
  const Mask* a = m.reg<Mask>(i.a);
  const Mask* b = m.reg<Mask>(i.b);
  Mask* mask = m.reg<Mask>(i.dst);
  for_lanes(m, [=](std::uint32_t l) { mask[l] = a[l] & b[l]; });
}

void switch_off(Machine& m, const Instr& i) {
  const Mask* a = m.reg<Mask>(i.a);
  Mask* mask = m.reg<Mask>(i.dst);
  for_lanes(m, [=](std::uint32_t l) { mask[l] &= a[l] ^ 1U; });
}

void jump(Machine& m, const Instr& i) { m.pc = i.target; }

void while_test(Machine& m, const Instr& i) {
  const auto* limit = m.reg<std::uint32_t>(i.a);
  const Mask* condition = m.reg<Mask>(i.b);
  auto* count = m.reg<std::uint32_t>(i.c);
  Mask* mask = m.reg<Mask>(i.dst);
  const bool any = any_lane(m, [=](std::uint32_t l) {
    mask[l] &= condition[l] & static_cast<Mask>(count[l] < limit[l]);
    count[l] += mask[l];
    return mask[l];
  });
  if (!any) m.pc = i.target;
}

void loop_back(Machine& m, const Instr& i) {
  m.pc = i.target;
  spend(m, i.a);
}

void clear_counter(Machine& m, const Instr& i) {
  auto* count = m.reg<std::uint32_t>(i.dst);
  for_lanes(m, [=](std::uint32_t l) { count[l] = 0; });
}

void barrier(Machine& m, const Instr&) { m.races->barrier(); }

}  // namespace control

Handler trip_count_handler(ir::Scalar type) {
  return ir::with_type(type, [](auto t) -> Handler {
    using T = decltype(t);
    if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
      return nullptr;
    } else {
      return [](Machine& m, const Instr& i) {
        const T* begin = m.reg<T>(i.a);
        const T* end = m.reg<T>(i.b);
        const T* step = m.reg<T>(i.c);
        auto* count = m.reg<std::uint64_t>(i.dst);
        for_lanes(m, [=](std::uint32_t l) {
          // Exact: the difference of two values of T fits in a u64 when it is positive.
          const auto distance =
              static_cast<std::uint64_t>(end[l]) - static_cast<std::uint64_t>(begin[l]);
          const bool runs = begin[l] < end[l] && step[l] > 0;
          count[l] = runs ? (distance - 1) / static_cast<std::uint64_t>(step[l]) + 1 : 0;
        });
      };
    }
  });
}

void for_enter(Machine& m, const Instr& i) {
  const Mask* outer = m.reg<Mask>(i.a);
  const auto* count = m.reg<std::uint64_t>(i.b);
  Mask* mask = m.reg<Mask>(i.dst);
  if (!any_lane(m, [=](std::uint32_t l) {
        return mask[l] = outer[l] & static_cast<Mask>(count[l] != 0);
      })) {
    m.pc = i.target;
  }
}

Handler for_next_handler(ir::Scalar type) {
  return ir::with_type(type, [](auto t) -> Handler {
    using T = decltype(t);
    if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
      return nullptr;
    } else {
      return [](Machine& m, const Instr& i) {
        const T* step = m.reg<T>(i.a);
        auto* count = m.reg<std::uint64_t>(i.b);
        Mask* mask = m.reg<Mask>(i.c);
        T* variable = m.reg<T>(i.dst);
        const bool any = any_lane(m, [=](std::uint32_t l) {
          variable[l] = ir::wrap_add(variable[l], step[l]);
          count[l] -= 1;
          return mask[l] &= static_cast<Mask>(count[l] != 0);
        });
        if (!any) return;
        m.pc = i.target;
        spend(m, i.buffer);
      };
    }
  });
}

}  // namespace vyre::backend::reference
