#include <bit>

#include "suite.h"

namespace vyre::conformance {

using u32 = std::uint32_t;

namespace {

// y = (2 x)^2, in two steps over scratch that starts as zeros, or in one. `by` says which ran.
constexpr const char* kTwoWays = R"(program twice {
  shape n: u32
  read x: u32[n]
  read_write y: u32[n]
  y[global_id(0)] = y[global_id(0)] + x[global_id(0)] * 2u
}

program square {
  shape n: u32
  read x: u32[n]
  write y: u32[n]
  write by: u32[n]
  y[global_id(0)] = x[global_id(0)] * x[global_id(0)]
  by[0u] = 2u
}

program both {
  shape n: u32
  read x: u32[n]
  write y: u32[n]
  write by: u32[n]
  y[global_id(0)] = x[global_id(0)] * x[global_id(0)] * 4u
  by[0u] = 1u
}

sequence two_ways {
  shape n: u32
  tunable joined: u32 = 0u in 0u, 1u
  read x: u32[n]
  write y: u32[n]
  write by: u32[n]
  scratch t: u32[n]
  run twice(x, t) when joined == 0u
  run square(t, y, by) when joined == 0u
  run both(x, y, by) when joined == 1u
})";

constexpr const char* kSometimesRepeated = R"(program grow {
  read_write v: u32[1u]
  workgroup [1u]
  v[0u] = v[0u] * 3u
}

program test {
  read v: u32[1u]
  write done: u32[1u]
  done[0u] = select(v[0u] > 100u, 1u, 0u)
}

program mark {
  write seen: u32[1u]
  seen[0u] = 7u
}

sequence sometimes {
  tunable rounds: bool = true
  read_write v: u32[1u]
  write seen: u32[1u]
  scratch done: u32[1u]
  run mark(seen) when !rounds
  run grow(v) when rounds
  run grow(v) when !rounds & rounds
  run test(v, done) when rounds
  run mark(seen)
  repeat 1 .. 4 until done limit 50
})";

}  // namespace

std::vector<Case> sequence_cases() {
  return {
      {.name = "ids_and_sizes_on_three_axes",
       .text = R"(program p {
  write y: u32[24u]
  workgroup [2u, 3u, 1u]
  grid [2u, 1u, 2u]
  let i: u32 = (global_id(2) * global_size(1) + global_id(1)) * global_size(0) + global_id(0)
  y[i] = group_id(0) * 1000u + local_id(0) * 100u + local_id(1) * 10u + group_id(2) + groups(2) * local_size(1) * 10000u
})",
       .inputs = {},
       .expected = {bytes<u32>({60000, 60100, 61000, 61100, 60010, 60110, 61010, 61110,
                                60020, 60120, 61020, 61120, 60001, 60101, 61001, 61101,
                                60011, 60111, 61011, 61111, 60021, 60121, 61021, 61121})}},
      {.name = "grid_covers_the_largest_written_buffer",
       .text = R"(program p {
  read x: u32[1000u]
  write small: u32[3u]
  write large: u32[130u]
  workgroup [64u, 1u, 1u]
  large[global_id(0)] = groups(0)
})",
       .inputs = {bytes(std::vector<u32>(1000, 1))},
       .expected = {bytes(std::vector<u32>(3, 0)), bytes(std::vector<u32>(130, 3))}},
      {.name = "grid_of_the_caller_wins",
       .text = R"(program p {
  write y: u32[8u]
  workgroup [2u, 1u, 1u]
  grid [4u, 1u, 1u]
  y[global_id(0)] = groups(0)
})",
       .inputs = {},
       .expected = {bytes<u32>({3, 3, 3, 3, 3, 3, 0, 0})},
       .grid = Extent{3, 1, 1}},
      {.name = "shapes_follow_from_the_inputs",
       .text = R"(program p {
  shape n: u32
  shape m: u32
  read x: u32[n]
  read a: u32[m]
  write y: u32[n * m]
  let i: u32 = global_id(0)
  if i < n * m {
    y[i] = x[i % n] * 10u + a[i / n]
  }
})",
       .inputs = {bytes<u32>({1, 2, 3}), bytes<u32>({7, 8})},
       .expected = {bytes<u32>({17, 27, 37, 18, 28, 38})}},
      {.name = "scalars_are_arguments",
       .text = R"(program p {
  shape n: u32
  scalar a: f32
  scalar offset: i32
  write y: f32[n]
  y[global_id(0)] = a * f32(i32(global_id(0)) + offset)
})",
       .inputs = {},
       .expected = {bytes<float>({-5.0F, -2.5F, 0.0F})},
       .arguments = {{"n", 3}, {"a", std::bit_cast<u32>(2.5F)}, {"offset", 0xfffffffeU}}},
      {.name = "tunables_have_defaults",
       .text = R"(program p {
  tunable k: u32 = 7u
  write y: u32[2u]
  private t: u32[k]
  workgroup [k, 1u, 1u]
  y[0u] = length(t)
  y[1u] = local_size(0)
})",
       .inputs = {},
       .expected = {bytes<u32>({7, 7})}},
      {.name = "tunables_are_chosen_by_the_config",
       .text = R"(program p {
  tunable k: u32 = 7u
  tunable flag: bool = false
  write y: u32[2u]
  private t: u32[k]
  workgroup [k, 1u, 1u]
  y[0u] = length(t) + select(flag, 100u, 0u)
  y[1u] = local_size(0)
})",
       .inputs = {},
       .expected = {bytes<u32>({103, 3})},
       .config = Config{{"k", std::int64_t{3}}, {"flag", true}}},
      {.name = "sequence_passes_scratch_between_its_steps",
       .text = R"(program square {
  shape n: u32
  read x: u32[n]
  write y: u32[n]
  y[global_id(0)] = x[global_id(0)] * x[global_id(0)]
}

program shift {
  shape n: u32
  scalar by: u32
  read x: u32[n]
  write y: u32[n]
  y[global_id(0)] = x[global_id(0)] + by
}

sequence both {
  shape n: u32
  read x: u32[n]
  write y: u32[n]
  scratch t: u32[n]
  run square(x, t)
  run shift(t, y; by = n * 100u)
})",
       .inputs = {bytes<u32>({1, 2, 3})},
       .expected = {bytes<u32>({301, 304, 309})}},
      {.name = "sequence_repeats_until_its_flag_is_set",
       .text = R"(program grow {
  read_write v: u32[1u]
  workgroup [1u]
  v[0u] = v[0u] * 3u
}

program test {
  read v: u32[1u]
  write done: u32[1u]
  done[0u] = select(v[0u] > 100u, 1u, 0u)
}

sequence powers {
  read_write v: u32[1u]
  scratch done: u32[1u]
  run grow(v)
  run test(v, done)
  repeat 0 .. 2 until done limit 50
})",
       .inputs = {bytes<u32>({1})},
       .expected = {bytes<u32>({243})}},
      {.name = "sequence_repeats_at_most_to_its_limit",
       .text = R"(program grow {
  read_write v: u32[1u]
  workgroup [1u]
  v[0u] = v[0u] + 1u
}

program never {
  write done: u32[1u]
  done[0u] = 0u
}

sequence counts {
  read_write v: u32[1u]
  write done: u32[1u]
  run grow(v)
  run never(done)
  repeat 0 .. 2 until done limit 5
})",
       .inputs = {bytes<u32>({10})},
       .expected = {bytes<u32>({15}), bytes<u32>({0})}},
      {.name = "sequence_leaves_out_steps_that_are_off",
       .text = kTwoWays,
       .inputs = {bytes<u32>({1, 2, 3})},
       .expected = {bytes<u32>({4, 16, 36}), bytes<u32>({2, 0, 0})}},
      {.name = "sequence_runs_steps_that_a_tunable_turns_on",
       .text = kTwoWays,
       .inputs = {bytes<u32>({1, 2, 3})},
       .expected = {bytes<u32>({4, 16, 36}), bytes<u32>({1, 0, 0})},
       .config = Config{{"joined", std::int64_t{1}}}},
      {.name = "sequence_repeats_only_what_is_on",
       .text = kSometimesRepeated,
       .inputs = {bytes<u32>({1})},
       .expected = {bytes<u32>({243}), bytes<u32>({7})}},
      {.name = "sequence_with_a_repeat_that_is_off",
       .text = kSometimesRepeated,
       .inputs = {bytes<u32>({1})},
       .expected = {bytes<u32>({1}), bytes<u32>({7})},
       .config = Config{{"rounds", false}}},
  };
}

}  // namespace vyre::conformance
