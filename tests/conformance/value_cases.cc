#include <limits>

#include "suite.h"

namespace vyre::conformance {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

std::vector<Case> value_cases() {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr i32 low = std::numeric_limits<i32>::min();
  constexpr i32 high = std::numeric_limits<i32>::max();
  return {
      {.name = "cast_f32_to_i32_saturates",
       .text = R"(program p {
  read x: f32[8u]
  write y: i32[8u]
  y[global_id(0)] = i32(x[global_id(0)])
})",
       .inputs = {bytes<float>({1.9F, -1.9F, 3e9F, -3e9F, inf, -inf, nan, 0.0F})},
       .expected = {bytes<i32>({1, -1, high, low, high, low, 0, 0})}},
      {.name = "cast_f32_to_u64_saturates",
       .text = R"(program p {
  read x: f32[5u]
  write y: u64[5u]
  y[global_id(0)] = u64(x[global_id(0)])
})",
       .inputs = {bytes<float>({1e10F, -1.0F, 1e30F, nan, 2.5F})},
       .expected = {bytes<u64>({10'000'000'000U, 0, ~u64{0}, 0, 2})}},
      {.name = "cast_i32_widens_with_its_sign",
       .text = R"(program p {
  read x: i32[3u]
  write y: i64[3u]
  write z: u64[3u]
  y[global_id(0)] = i64(x[global_id(0)])
  z[global_id(0)] = u64(x[global_id(0)])
})",
       .inputs = {bytes<i32>({-1, low, 7})},
       .expected = {bytes<i64>({-1, low, 7}),
                    bytes<u64>({~u64{0}, static_cast<u64>(i64{low}), 7})}},
      {.name = "cast_narrows_to_the_low_bits",
       .text = R"(program p {
  read x: u64[2u]
  write y: u32[2u]
  y[global_id(0)] = u32(x[global_id(0)])
})",
       .inputs = {bytes<u64>({0x1'0000'0005U, ~u64{0}})},
       .expected = {bytes<u32>({5, 0xffffffffU})}},
      {.name = "bitcast_keeps_the_bits",
       .text = R"(program p {
  read x: f32[3u]
  write y: u32[3u]
  y[global_id(0)] = bits_u32(x[global_id(0)])
})",
       .inputs = {bytes<float>({1.0F, -0.0F, inf})},
       .expected = {bytes<u32>({0x3f800000U, 0x80000000U, 0x7f800000U})}},
      {.name = "select_takes_either",
       .text = R"(program p {
  read x: i32[4u]
  write y: i32[4u]
  let v: i32 = x[global_id(0)]
  y[global_id(0)] = select(v < 0i, -v, v * 10i)
})",
       .inputs = {bytes<i32>({-3, 0, 5, low})},
       .expected = {bytes<i32>({3, 0, 50, low})}},
      {.name = "vectors_go_element_by_element",
       .text = R"(program p {
  read x: f32[8u]
  read y: f32[8u]
  write z: f32[8u]
  workgroup [2u, 1u, 1u]
  let v: f32x4 = x.x4[global_id(0)] * y.x4[global_id(0)] + f32x4(1f, 2f, 3f, 4f)
  z.x4[global_id(0)] = v
})",
       .inputs = {bytes<float>({1, 2, 3, 4, 5, 6, 7, 8}), bytes<float>({1, 1, 1, 1, 2, 2, 2, 2})},
       .expected = {bytes<float>({2, 4, 6, 8, 11, 14, 17, 20})},
       .grid = Extent{1, 1, 1}},
      {.name = "vectors_are_taken_apart_and_put_together",
       .text = R"(program p {
  read x: u32[6u]
  write y: u32[6u]
  let v: u32x2 = x.x2[global_id(0)]
  y.x2[global_id(0)] = u32x2(v.1, v.0)
})",
       .inputs = {bytes<u32>({1, 2, 3, 4, 5, 6})},
       .expected = {bytes<u32>({2, 1, 4, 3, 6, 5})}},
      {.name = "vectors_that_reach_outside_are_outside",
       .text = R"(program p {
  read x: u32[7u]
  write y: u32[7u]
  write z: u32[8u]
  z.x4[global_id(0)] = x.x4[global_id(0)]
  y.x4[global_id(0)] = u32x4(9u, 9u, 9u, 9u)
})",
       .inputs = {bytes<u32>({1, 2, 3, 4, 5, 6, 7})},
       .expected = {bytes<u32>({9, 9, 9, 9, 0, 0, 0}), bytes<u32>({1, 2, 3, 4, 0, 0, 0, 0})}},
      {.name = "mutable_vectors_keep_their_parts",
       .text = R"(program p {
  write y: f32[4u]
  var v: f32x4 = f32x4(0f, 1f, 2f, 3f)
  for k: u32 in 0u .. 3u {
    v = v + f32x4(v.3, v.0, v.1, v.2)
  }
  y.x4[global_id(0)] = v
})",
       .inputs = {},
       .expected = {bytes<float>({16, 12, 8, 12})}},
      {.name = "constants_of_every_type",
       .text = R"(program p {
  write a: u32[1u]
  write b: i32[1u]
  write c: u64[1u]
  write d: i64[1u]
  write e: f32[2u]
  a[0u] = 4294967295u
  b[0u] = -7i
  c[0u] = 18446744073709551615ul
  d[0u] = -9000000000l
  e[0u] = 0.1f
  e[1u] = f32(0x7f800000)
})",
       .inputs = {},
       .expected = {bytes<u32>({0xffffffffU}), bytes<i32>({-7}), bytes<u64>({~u64{0}}),
                    bytes<i64>({-9'000'000'000}), bytes<float>({0.1F, inf})}},
      {.name = "contraction_is_off",
       .text = R"(program p {
  read x: f32[3u]
  write y: f32[1u]
  y[0u] = x[0u] * x[1u] + x[2u]
})",
       // Rounded after the product the sum is 0; fused it would be 2^-46.
       .inputs = {bytes<float>({1.0F + 0x1p-23F, 1.0F - 0x1p-23F, -1.0F})},
       .expected = {bytes<float>({0.0F})}},
      {.name = "a_constant_plus_both_ids",
       .text = R"(program p {
  write y: u32[20u]
  workgroup [64u]
  let i: u32 = global_id(0)
  let l: u32 = local_id(0)
  y[i] = 10u + i + l
})",
       .inputs = {},
       .expected = {bytes<u32>(
           {10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48})}},
      {.name = "a_constant_against_a_widened_integer",
       .text = R"(program p {
  read x: i32[4u]
  write y: u32[4u]
  let i: u32 = global_id(0)
  let wide: i64 = i64(x[i])
  y[i] = select(15l > wide, 1u, 0u) + select(-15l <= wide, 2u, 0u) + select(wide < 0l, 4u, 0u)
})",
       .inputs = {bytes<i32>({-2147483647, -15, 14, 15})},
       .expected = {bytes<u32>({5, 7, 3, 2})}},
      {.name = "a_bool_against_a_comparison_of_it",
       .text = R"(program p {
  write y: u32[3u]
  let i: u32 = global_id(0)
  y[i] = select(bool(i) != 15l > i64(bool(i)), 1u, 2u)
})",
       .inputs = {},
       .expected = {bytes<u32>({1, 2, 2})}},
  };
}

}  // namespace vyre::conformance
