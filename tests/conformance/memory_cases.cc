#include <numeric>

#include "suite.h"

namespace vyre::conformance {
namespace {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;

std::vector<u32> iota(u32 n) {
  std::vector<u32> out(n);
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

std::vector<u32> reversed_in_blocks(u32 n, u32 block) {
  std::vector<u32> out(n);
  for (u32 i = 0; i < n; ++i) out[i] = i / block * block + (block - 1 - i % block);
  return out;
}

}  // namespace

std::vector<Case> memory_cases() {
  return {
      {.name = "loads_outside_give_zero_and_stores_outside_do_nothing",
       .text = R"(program p {
  read x: u32[4u]
  write y: u32[4u]
  let i: i32 = i32(global_id(0)) - 2i
  y[i] = x[i + 3i] + 1u
})",
       .inputs = {bytes<u32>({10, 20, 30, 40})},
       .expected = {bytes<u32>({41, 1, 1, 1})},
       .grid = Extent{1, 1, 1}},
      {.name = "indices_beyond_32_bits_are_outside",
       .text = R"(program p {
  read x: u32[2u]
  write y: u32[2u]
  workgroup [2u, 1u, 1u]
  y[global_id(0)] = x[u64(global_id(0)) + 4294967296ul] + 5u
  y[i64(global_id(0)) - 2l] = 7u
})",
       .inputs = {bytes<u32>({5, 6})},
       .expected = {bytes<u32>({5, 5})},
       .grid = Extent{1, 1, 1}},
      {.name = "written_buffers_start_as_zeros",
       .text = R"(program p {
  write y: u32[4u]
  let i: u32 = global_id(0)
  if i == 1u {
    y[i] = y[i] + 5u
  }
})",
       .inputs = {},
       .expected = {bytes<u32>({0, 5, 0, 0})}},
      {.name = "read_write_buffers_start_as_their_input",
       .text = R"(program p {
  read_write y: i32[3u]
  y[global_id(0)] = y[global_id(0)] * -2i
})",
       .inputs = {bytes<i32>({1, -2, 3})},
       .expected = {bytes<i32>({-2, 4, -6})}},
      {.name = "local_memory_is_shared_across_a_barrier",
       .text = R"(program p {
  read x: u32[256u]
  write y: u32[256u]
  local t: u32[32u]
  workgroup [32u, 1u, 1u]
  t[local_id(0)] = x[global_id(0)]
  barrier
  y[global_id(0)] = t[31u - local_id(0)]
})",
       .inputs = {bytes(iota(256))},
       .expected = {bytes(reversed_in_blocks(256, 32))}},
      {.name = "local_memory_starts_as_zeros_in_every_workgroup",
       .text = R"(program p {
  write y: u32[64u]
  local t: u32[4u]
  workgroup [4u, 1u, 1u]
  y[global_id(0)] = t[local_id(0)]
  barrier
  t[local_id(0)] = 77u
})",
       .inputs = {},
       .expected = {bytes(std::vector<u32>(64, 0))}},
      {.name = "reduction_by_halves",
       .text = R"(program p {
  read x: u32[512u]
  write sums: u32[8u]
  local t: u32[64u]
  workgroup [64u, 1u, 1u]
  grid [8u, 1u, 1u]
  let lid: u32 = local_id(0)
  t[lid] = x[global_id(0)]
  barrier
  var half: u32 = 32u
  while half > 0u limit 6u {
    if lid < half {
      t[lid] = t[lid] + t[lid + half]
    }
    barrier
    half = half / 2u
  }
  if lid == 0u {
    sums[group_id(0)] = t[0u]
  }
})",
       .inputs = {bytes(iota(512))},
       .expected = {bytes<u32>({2016, 6112, 10208, 14304, 18400, 22496, 26592, 30688})}},
      {.name = "private_arrays_belong_to_one_invocation",
       .text = R"(program p {
  write y: u32[70u]
  private a: u32[5u]
  let i: u32 = global_id(0)
  for k: u32 in 0u .. 5u {
    a[k] = a[k] + i * k
  }
  a[i + 9u] = 1u
  y[i] = a[1u] + a[4u] + a[i + 7u]
})",
       .inputs = {},
       .expected = {[] {
         std::vector<u32> v(70);
         for (u32 i = 0; i < 70; ++i) v[i] = 5 * i;
         return bytes(v);
       }()}},
      {.name = "atomics_add_up_over_all_workgroups",
       .text = R"(program p {
  read_write sum: u32[1u]
  write low: i32[1u]
  write high: u32[1u]
  workgroup [32u, 1u, 1u]
  grid [10u, 1u, 1u]
  atomic_add(sum, 0u, global_id(0))
  atomic_min(low, 0u, 100i - i32(global_id(0)))
  atomic_max(high, 0u, global_id(0))
})",
       .inputs = {bytes<u32>({5})},
       .expected = {bytes<u32>({51045}), bytes<i32>({-219}), bytes<u32>({319})}},
      {.name = "atomics_give_the_old_value",
       .text = R"(program p {
  write y: u32[4u]
  write cell: u32[1u]
  workgroup [1u, 1u, 1u]
  grid [1u, 1u, 1u]
  let a: u32 = atomic_exchange(cell, 0u, 11u)
  let b: u32 = atomic_compare_exchange(cell, 0u, 11u, 22u)
  let c: u32 = atomic_compare_exchange(cell, 0u, 11u, 33u)
  let d: u32 = atomic_add(cell, global_id(0) + 5u, 1u)
  y[0u] = a
  y[1u] = b
  y[2u] = c
  y[3u] = d
})",
       .inputs = {},
       .expected = {bytes<u32>({0, 11, 22, 0}), bytes<u32>({22})}},
      {.name = "local_atomics_hand_out_places",
       .text = R"(program p {
  write y: u32[16u]
  local counter: u32[1u]
  workgroup [16u, 1u, 1u]
  let place: u32 = atomic_add(counter, 0u, 1u)
  y[place] = 1u
})",
       .inputs = {},
       .expected = {bytes(std::vector<u32>(16, 1))}},
      {.name = "length_is_the_element_count",
       .text = R"(program p {
  shape n: u32
  read x: u64[n]
  write y: u32[1u]
  private a: u32[3u]
  y[0u] = length(x) * 10u + length(a)
})",
       .inputs = {bytes(std::vector<u64>(9, 0))},
       .expected = {bytes<u32>({93})}},
  };
}

}  // namespace vyre::conformance
