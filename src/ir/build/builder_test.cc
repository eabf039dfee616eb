// Each construct of the builder, and the text of its program.

#include "vyre/builder.h"

#include <gtest/gtest.h>

#include <string>

#include "vyre/program.h"

namespace vyre::ir {
namespace {

using Body = std::function<void(Builder&)>;

std::string printed(const Body& body) {
  const auto program = build("k", body);
  return program ? print(*program) : program.error().message;
}

TEST(Builder, WritesTheExample) {
  EXPECT_EQ(printed([](Builder& b) {
              auto n = b.shape("n");
              auto a = b.scalar(f32, "a");
              auto x = b.read(f32, "x", n);
              auto y = b.read_write(f32, "y", n);
              auto i = b.global_id(0);
              b.if_(i < n, [&] { y[i] = a * x[i] + y[i]; });
            }),
            R"(program k {
  shape n: u32
  scalar a: f32
  read x: f32[n]
  read_write y: f32[n]

  if global_id(0) < n {
    y[global_id(0)] = a * x[global_id(0)] + y[global_id(0)]
  }
}
)");
}

TEST(Builder, DeclaresEverything) {
  EXPECT_EQ(printed([](Builder& b) {
              auto n = b.shape("n");
              auto tile = b.tunable("tile", 4);
              auto scale = b.tunable(f32, "scale", 0.5);
              auto on = b.scalar(boolean, "on");
              b.workgroup(tile * 8, tile);
              b.grid((n + 31) / 32, 1, 2);
              auto x = b.read(u64, "x", n * tile);
              auto y = b.write(f32, "y", n);
              auto t = b.local(f32, "t", tile * tile);
              auto p = b.private_array(i32, "p", 4);
              b.if_(on, [&] {
                t[0] = scale;
                p[1] = -7;
                y[0] = t[0] + cast(f32, p[1]) + cast<f32>(x[0]);
              });
            }),
            R"(program k {
  shape n: u32
  tunable tile: u32 = 4u
  tunable scale: f32 = 0.5f
  scalar on: bool
  read x: u64[n * tile]
  write y: f32[n]
  local t: f32[tile * tile]
  private p: i32[4u]
  workgroup [tile * 8u, tile]
  grid [(n + 31u) / 32u, 1u, 2u]

  if on {
    t[0u] = scale
    p[1u] = -7i
    y[0u] = t[0u] + f32(p[1u]) + f32(x[0u])
  }
}
)");
}

TEST(Builder, WritesStatements) {
  EXPECT_EQ(printed([](Builder& b) {
              auto n = b.shape("n");
              auto x = b.read(f32, "x", n);
              auto y = b.read_write(f32, "y", n);
              auto i = b.let("i", b.global_id(0));
              auto acc = b.var("acc", 0.0F);
              b.region("sum", [&] {
                b.for_("k", 0, n, [&](Value k) { acc += x[k]; });
                b.for_("k", i, n, {.step = 4, .unroll = 2}, [&](Value k) { acc = acc + x[k]; });
              });
              b.barrier();
              b.if_(i >= n, [&] { b.return_(); });
              auto left = b.var(u32, "left", 10);
              b.while_([&] { return left > 0 && acc < 100; }, 16,
                       [&] {
                         acc *= 2;
                         left -= 1;
                       });
              b.if_(acc == 1, [&] { y[i] = acc; }, [&] { y[i] = -acc; });
            }),
            R"(program k {
  shape n: u32
  read x: f32[n]
  read_write y: f32[n]

  let i: u32 = global_id(0)
  var acc: f32 = 0f
  region "sum" {
    for k: u32 in 0u .. n {
      acc = acc + x[k]
    }
    for k: u32 in i .. n step 4u unroll 2u {
      acc = acc + x[k]
    }
  }
  barrier
  if i >= n {
    return
  }
  var left: u32 = 10u
  while left > 0u & acc < 100f limit 16u {
    acc = acc * 2f
    left = left - 1u
  }
  if acc == 1f {
    y[i] = acc
  } else {
    y[i] = -acc
  }
}
)");
}

TEST(Builder, WritesAtomics) {
  EXPECT_EQ(printed([](Builder& b) {
              auto c = b.read_write(u32, "c", 8);
              b.atomic_add(c, 0, 1);
              auto slot = b.atomic_max(c, 1, b.global_id());
              b.atomic_min(c, slot, 7);
              auto old = b.atomic_exchange(c, 2, 9);
              auto seen = b.atomic_compare_exchange(c, 3, old, slot);
              c[4] = seen;
            }),
            R"(program k {
  read_write c: u32[8u]

  atomic_add(c, 0u, 1u)
  let t0: u32 = atomic_max(c, 1u, global_id(0))
  atomic_min(c, t0, 7u)
  let t1: u32 = atomic_exchange(c, 2u, 9u)
  let t2: u32 = atomic_compare_exchange(c, 3u, t1, t0)
  c[4u] = t2
}
)");
}

TEST(Builder, WritesVectorsAndFunctions) {
  EXPECT_EQ(printed([](Builder& b) {
              auto n = b.shape("n");
              auto x = b.read(f32, "x", n);
              auto y = b.write(f32, "y", n);
              auto u = b.write(u32, "u", n);
              auto i = b.global_id(1);
              y.store4(i, x.load4(i) * 2 + b.vec(x[i], 1, 2, 3));
              y.store2(i, x.load2(i) * b.vec(x[0], x[1]));
              y[i] = fma(min(x[i], 0.5F), 2, exp(x.load4(0)[3]));
              u[i] = select(!(i < length(x) || is_nan(x[i])), i << 3, bitcast(u32, x[i]));
              u[0] = (1 + i * 2) % 7 + (i & 3) + (~i | 1) + (i ^ i) + b.local_size() + b.groups(2);
              u[1] ^= 5;
            }),
            R"(program k {
  shape n: u32
  read x: f32[n]
  write y: f32[n]
  write u: u32[n]

  y.x4[global_id(1)] = x.x4[global_id(1)] * f32x4(2f, 2f, 2f, 2f) + f32x4(x[global_id(1)], 1f, 2f, 3f)
  y.x2[global_id(1)] = x.x2[global_id(1)] * f32x2(x[0u], x[1u])
  y[global_id(1)] = fma(min(x[global_id(1)], 0.5f), 2f, exp(x.x4[0u].3))
  u[global_id(1)] = select(!(global_id(1) < length(x) | is_nan(x[global_id(1)])), global_id(1) << 3u, bits_u32(x[global_id(1)]))
  u[0u] = (1u + global_id(1) * 2u) % 7u + (global_id(1) & 3u) + (~global_id(1) | 1u) + (global_id(1) ^ global_id(1)) + local_size(0) + groups(2)
  u[1u] = u[1u] ^ 5u
}
)");
}

}  // namespace
}  // namespace vyre::ir
