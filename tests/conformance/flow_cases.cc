#include "suite.h"

namespace vyre::conformance {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;

std::vector<Case> flow_cases() {
  return {
      {.name = "if_else_chain_diverges",
       .text = R"(program p {
  write y: u32[6u]
  let i: u32 = global_id(0)
  if i < 2u {
    y[i] = 10u
  } else if i == 3u {
    y[i] = 30u
  } else {
    y[i] = i
  }
})",
       .inputs = {},
       .expected = {bytes<u32>({10, 10, 2, 30, 4, 5})}},
      {.name = "if_assigns_only_where_it_is_taken",
       .text = R"(program p {
  write y: u32[5u]
  let i: u32 = global_id(0)
  var v: u32 = 1u
  if i % 2u == 0u {
    v = v + 1u
    if i == 4u {
      v = v * 50u
    }
  }
  y[i] = v
})",
       .inputs = {},
       .expected = {bytes<u32>({2, 1, 2, 1, 100})}},
      {.name = "else_is_taken_by_the_condition_as_it_was",
       .text = R"(program p {
  write y: u32[4u]
  let i: u32 = global_id(0)
  var v: bool = i < 2u
  if v {
    v = false
    y[i] = y[i] + 1u
  } else {
    v = true
    y[i] = y[i] + 10u
  }
})",
       .inputs = {},
       .expected = {bytes<u32>({1, 1, 10, 10})}},
      {.name = "for_runs_a_different_count_per_invocation",
       .text = R"(program p {
  write y: u32[5u]
  let i: u32 = global_id(0)
  var sum: u32 = 0u
  for k: u32 in 0u .. i step 1u {
    sum = sum + k
  }
  y[i] = sum
})",
       .inputs = {},
       .expected = {bytes<u32>({0, 0, 1, 3, 6})}},
      {.name = "for_ends_although_its_variable_would_wrap",
       .text = R"(program p {
  write y: u32[1u]
  var count: u32 = 0u
  for k: u32 in 4294967290u .. 4294967295u step 3u {
    count = count + 1u
  }
  y[0u] = count
})",
       .inputs = {},
       .expected = {bytes<u32>({2})}},
      {.name = "for_over_signed_numbers",
       .text = R"(program p {
  write y: i32[1u]
  var sum: i32 = 0i
  for k: i32 in -3i .. 4i step 2i {
    sum = sum * 10i + k
  }
  y[0u] = sum
})",
       .inputs = {},
       .expected = {bytes<i32>({-3087})}},  // -3, -1, 1, 3
      {.name = "for_with_no_way_to_end_does_not_start",
       .text = R"(program p {
  read steps: i32[3u]
  write y: i32[3u]
  let i: u32 = global_id(0)
  var count: i32 = 0i
  for k: i32 in 0i .. 10i step steps[i] {
    count = count + 1i
  }
  y[i] = count
})",
       .inputs = {bytes<i32>({0, -1, 4})},
       .expected = {bytes<i32>({0, 0, 3})}},
      {.name = "for_unrolled_by_a_tunable_computes_the_same",
       .text = R"(program p {
  tunable unroll_by: u32 = 4u
  write y: u64[1u]
  var sum: u64 = 0ul
  for k: u32 in 0u .. 10u step 1u unroll unroll_by {
    sum = sum + u64(k) * u64(k)
  }
  y[0u] = sum
})",
       .inputs = {},
       .expected = {bytes<u64>({285})}},
      {.name = "for_bounds_are_taken_once",
       .text = R"(program p {
  write y: u32[1u]
  var n: u32 = 3u
  var count: u32 = 0u
  for k: u32 in 0u .. n step 1u {
    n = 100u
    count = count + 1u
  }
  y[0u] = count
})",
       .inputs = {},
       .expected = {bytes<u32>({3})}},
      {.name = "while_stops_at_its_condition_or_its_limit",
       .text = R"(program p {
  read x: u32[4u]
  write y: u32[4u]
  let i: u32 = global_id(0)
  var v: u32 = x[i]
  var count: u32 = 0u
  while v != 1u limit 20u {
    v = select(v % 2u == 0u, v / 2u, 3u * v + 1u)
    count = count + 1u
  }
  y[i] = count
})",
       .inputs = {bytes<u32>({1, 6, 27, 16})},
       .expected = {bytes<u32>({0, 8, 20, 4})}},
      {.name = "return_ends_one_invocation",
       .text = R"(program p {
  write y: u32[6u]
  let i: u32 = global_id(0)
  y[i] = 1u
  if i > 3u {
    return
  }
  for k: u32 in 0u .. 4u {
    if k == i {
      return
    }
    y[i] = y[i] + 10u
  }
  y[i] = 99u
})",
       .inputs = {},
       .expected = {bytes<u32>({1, 11, 21, 31, 1, 1})}},
      {.name = "return_leaves_a_while",
       .text = R"(program p {
  write y: u32[3u]
  let i: u32 = global_id(0)
  while true limit 100u {
    y[i] = y[i] + 1u
    if y[i] == i * 5u + 1u {
      return
    }
  }
  y[i] = 7777u
})",
       .inputs = {},
       .expected = {bytes<u32>({1, 6, 11})}},
      {.name = "return_leaves_a_region",
       .text = R"(program p {
  write y: u32[3u]
  let i: u32 = global_id(0)
  while true limit 3u {
    region "part" {
      y[i] = y[i] + 1u
      if i < 2u {
        return
      }
    }
    y[i] = y[i] + 10u
    region "rest" {
      return
    }
    y[i] = 7777u
  }
})",
       .inputs = {},
       .expected = {bytes<u32>({1, 1, 11})}},
      {.name = "regions_only_name",
       .text = R"(program p {
  write y: u32[1u]
  region "first" {
    y[0u] = 1u
    region "inner" {
      y[0u] = y[0u] + 1u
    }
  }
})",
       .inputs = {},
       .expected = {bytes<u32>({2})}},
      {.name = "variables_begin_anew_in_each_turn",
       .text = R"(program p {
  write y: u32[2u]
  let i: u32 = global_id(0)
  var total: u32 = 0u
  for k: u32 in 0u .. 3u {
    var inner: u32 = i
    for j: u32 in 0u .. k {
      inner = inner + 1u
    }
    total = total * 10u + inner
  }
  y[i] = total
})",
       .inputs = {},
       .expected = {bytes<u32>({12, 123})}},
  };
}

}  // namespace vyre::conformance
