// Two small dialects show what a new language needs: the same writers emit one kernel in each. The
// first has pointers and C's casts, as CUDA C++. The second has neither, as GLSL.

#include "emit/c_like/dialect.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emit/c_like/translation_unit.h"

namespace vyre::emit {
namespace {

using ir::Op;

constexpr std::array kCudaPreludeOps{
    PreludeOp{"div", "__device__ $C $N($C a, $C b) {\n  return b == 0 ? ~($C)0 : a / b;\n}\n"},
    PreludeOp{"bits", "template <class T>\n__device__ $C $N(T a);\n"},
};

constexpr std::array kCudaOps{
    OpSpelling{Op::bitcast, TypeFamily::integer, "vyre_bits_$T($0)"},
    OpSpelling{Op::mulhi, TypeFamily::integer, "__umulhi($0, $1)"},
    OpSpelling{Op::exp, TypeFamily::real, "expf($0)"},
};

std::string cuda_kernel(const KernelParts& parts) {
  std::vector<std::string> arguments;
  for (const BufferParameter& b : parts.buffers) {
    arguments.push_back(
        fmt::format("{}{}* __restrict__ {}", b.is_read_only ? "const " : "", b.element, b.name));
  }
  for (const ValueParameter& v : parts.values) arguments.push_back(v.type + " " + v.name);
  const auto& [x, y, z] = parts.workgroup;
  return fmt::format("extern \"C\" __global__ void __launch_bounds__({}) {}({}) {{\n{}}}\n",
                     x * y * z, parts.entry, argument_list(arguments), parts.body);
}

constexpr Dialect kCudaLike{
    .a_kernel = "a CUDA kernel",
    .head = "// CUDA C++\n",
    .reserved = {.words = " threadIdx blockIdx blockDim gridDim warpSize "},
    .literals = {.u64 = "ull", .i64 = "ll", .float_of_bits = "__uint_as_float($0)"},
    .types = {"bool", "unsigned", "int", "unsigned long long", "long long", "float"},
    .vector_types = {"", "uint$W", "", "", "", "float$W"},
    .index_type = "size_t",
    .vector = "make_$C($0)",
    .operations = kCudaOps,
    .ids = {"(blockIdx.$X * blockDim.$X + threadIdx.$X)", "threadIdx.$X", "blockIdx.$X",
            "(gridDim.$X * blockDim.$X)", "blockDim.$X", "gridDim.$X"},
    .spaces = {},
    .load_vector = "vyre_load<$C>($1, $0)",
    .store_vector = "vyre_store<$C>($1, $0, $2)",
    .element_to_update = "&$0[$1]",
    .atomics = {"atomicAdd", "atomicMin", "atomicMax", "atomicExch", "atomicCAS"},
    .local_array = "__shared__ $C $N[$L];",
    .private_array = "$C $N[$L] = {};",
    .barrier = "__syncthreads();",
    .local_barrier = "__syncthreads();",
    .unroll = "#pragma unroll $0",
    .kernel = cuda_kernel,
    .prelude = {.load = "__device__ $C $N(const $C* data, unsigned length, size_t at) {\n"
                        "  return at < length ? data[at] : $C(0);\n"
                        "}\n",
                .load_vector = {},
                .store = {},
                .store_vector = {},
                .atomic = {},
                .atomic_compare_exchange = {},
                .trip_count = {},
                .float_to_unsigned = "__device__ $C $N(float a) {\n"
                                     "  return a >= $B ? ~($C)0 : a > 0.0f ? ($C)a : 0;\n"
                                     "}\n",
                .float_to_signed = {},
                .operations = kCudaPreludeOps},
};

std::string glsl_kernel(const KernelParts& parts) {
  const auto& [x, y, z] = parts.workgroup;
  std::string out =
      fmt::format("layout(local_size_x = {}, local_size_y = {}, local_size_z = {}) in;\n", x, y, z);
  for (std::size_t k = 0; k < parts.buffers.size(); ++k) {
    const BufferParameter& b = parts.buffers[k];
    out += fmt::format("layout(std430, binding = {}) {}buffer Buffer{} {{ {} {}[]; }};\n", k,
                       b.is_read_only ? "readonly " : "", k, b.element, b.name);
  }
  std::string values;
  for (const ValueParameter& v : parts.values) values += fmt::format(" {} {};", v.type, v.name);
  if (!values.empty())
    out += fmt::format("layout(push_constant) uniform Values {{{} }};\n", values);
  return out + fmt::format("{}void main() {{\n{}}}\n", parts.outside, parts.body);
}

constexpr std::array kGlslPreludeOps{
    PreludeOp{"div", "#define $N(a, b) ((b) == 0 ? ~$C(0) : (a) / (b))\n"},
    PreludeOp{"mulhi", "#define $N(a, b) vyre_high_product(a, b)\n"},
};

constexpr std::array kGlslOps{OpSpelling{Op::bitcast, TypeFamily::integer, "floatBitsToUint($0)"},
                              OpSpelling{Op::mulhi, TypeFamily::integer, "vyre_mulhi_$T($0, $1)"},
                              OpSpelling{Op::exp, TypeFamily::real, "exp($0)"}};

constexpr Dialect glsl_like() {
  Dialect d = kCudaLike;
  d.a_kernel = "a GLSL kernel";
  d.head = "#version 460\n";
  d.reserved = {.words = " in out inout buffer uniform layout shared "};
  d.literals = {.hexadecimal_floats = false, .float_of_bits = "uintBitsToFloat($0)"};
  d.types = {"bool", "uint", "int", "uint64_t", "int64_t", "float"};
  d.vector_types = {"", "uvec$W", "", "", "", "vec$W"};
  d.index_type = "";
  d.cast = "$C($0)";
  d.vector = "$C($0)";
  d.operations = kGlslOps;
  d.ids = {"gl_GlobalInvocationID.$X", "gl_LocalInvocationID.$X", "gl_WorkGroupID.$X",
           "vyre_global_size.$X",      "gl_WorkGroupSize.$X",     "gl_NumWorkGroups.$X"};
  d.load_vector = "vyre_load_$C($1, $0)";
  d.element_to_update = "$0[$1]";
  d.local_array = "shared $C $N[$L];";
  d.local_array_is_outside = true;
  d.private_array = "$C $N[$L]; for (uint at = 0; at < $L; ++at) $N[at] = 0;";
  d.barrier = "memoryBarrierBuffer(); barrier();";
  d.local_barrier = "barrier();";
  d.unroll = "[[unroll]]";
  d.kernel = glsl_kernel;
  d.prelude.load = "#define $N(data, length, at) ((at) < length ? data[at] : $C(0))\n";
  d.prelude.float_to_unsigned = "$C $N(float a) {\n  return a > 0.0f ? $C(a) : 0;\n}\n";
  d.prelude.operations = kGlslPreludeOps;
  return d;
}

constexpr std::string_view kProgram = R"(
program scaled_histogram {
  shape n: u32
  scalar scale: f32
  scalar negate: bool
  tunable turns: u32 = 4u
  read x: f32[n]
  write bins: u32[16u]
  local t: u32[16u]
  private p: u32[4u]

  let i: u32 = global_id(0)
  var sum: f32 = 0.1f
  for k: u32 in 0u .. 4u unroll turns {
    p[k] = mulhi(i, 3u) / (n - 1u)
    sum = sum + exp(x[i + k]) * scale
  }
  if negate {
    sum = -sum
    barrier
  }
  let bin: u32 = u32(sum) % 16u
  atomic_add(t, bin, bits_u32(sum))
  barrier
  let pair: f32x2 = f32x2(sum, 2.0f)
  atomic_max(bins, bin, t[bin] + p[1u] + u32(pair.1))
}
)";

Expected<std::string> emitted(const Dialect& dialect, std::string_view entry) {
  auto program = ir::parse_program(std::string(kProgram));
  if (!program) return std::unexpected(program.error());
  for (const Error& error : ir::validate(*program)) return std::unexpected(error);
  const std::vector<std::uint64_t> symbols{0, 0, 0, 4};
  const KernelSource kernel{&*program, symbols, {64, 1, 1}, std::string(entry)};
  return translation_unit(dialect, {&kernel, 1});
}

constexpr std::string_view kExpectedCuda = R"(// CUDA C++

template <class T>
__device__ unsigned vyre_bits_u32(T a);

__device__ unsigned vyre_div_u32(unsigned a, unsigned b) {
  return b == 0 ? ~(unsigned)0 : a / b;
}

__device__ unsigned vyre_f32_to_u32(float a) {
  return a >= 0x1p+32f ? ~(unsigned)0 : a > 0.0f ? (unsigned)a : 0;
}

__device__ float vyre_load_global_f32(const float* data, unsigned length, size_t at) {
  return at < length ? data[at] : float(0);
}

extern "C" __global__ void __launch_bounds__(64) k(
    const float* __restrict__ x,
    unsigned* __restrict__ bins,
    unsigned n,
    float scale,
    unsigned negate_bits) {
  const bool negate = negate_bits != 0;
  const unsigned x_length = n;
  __shared__ unsigned t[16];
  unsigned p[4] = {};
  for (unsigned zero_at = threadIdx.x; zero_at < 16; zero_at += 64) t[zero_at] = 0;
  __syncthreads();
  const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x);
  float sum = 0x1.99999ap-4f /* 0.1 */;
  #pragma unroll 4
  for (unsigned k = 0u; k < 4u; ++k) {
    p[k] = vyre_div_u32(__umulhi(i, 3u), n - 1u);
    sum = sum + expf(vyre_load_global_f32(x, x_length, i + k)) * scale;
  }
  if (negate) {
    sum = -sum;
    __syncthreads();
  }
  const unsigned bin = vyre_f32_to_u32(sum) % 16u;
  atomicAdd(&t[bin], vyre_bits_u32(sum));
  __syncthreads();
  const float2 pair = make_float2(sum, 2.0f);
  atomicMax(&bins[bin], t[bin] + p[1u] + vyre_f32_to_u32(pair.y));
}
)";

TEST(Dialects, EmitCudaFromATable) {
  const auto text = emitted(kCudaLike, "k");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, kExpectedCuda);
}

constexpr std::string_view kExpectedGlsl = R"(#version 460

#define vyre_div_u32(a, b) ((b) == 0 ? ~uint(0) : (a) / (b))

uint vyre_f32_to_u32(float a) {
  return a > 0.0f ? uint(a) : 0;
}

#define vyre_load_global_f32(data, length, at) ((at) < length ? data[at] : float(0))

#define vyre_mulhi_u32(a, b) vyre_high_product(a, b)

layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(std430, binding = 0) readonly buffer Buffer0 { float x[]; };
layout(std430, binding = 1) buffer Buffer1 { uint bins[]; };
layout(push_constant) uniform Values { uint n; float scale; uint negate_bits; };
shared uint t[16];
void main() {
  const bool negate = negate_bits != 0;
  const uint x_length = n;
  uint p[4]; for (uint at = 0; at < 4; ++at) p[at] = 0;
  for (uint zero_at = gl_LocalInvocationID.x; zero_at < 16; zero_at += 64) t[zero_at] = 0;
  barrier();
  const uint i = gl_GlobalInvocationID.x;
  float sum = uintBitsToFloat(0x3dcccccdu) /* 0.1 */;
  [[unroll]]
  for (uint k = 0u; k < 4u; ++k) {
    p[k] = vyre_div_u32(vyre_mulhi_u32(i, 3u), n - 1u);
    sum = sum + exp(vyre_load_global_f32(x, x_length, i + k)) * scale;
  }
  if (negate) {
    sum = -sum;
    memoryBarrierBuffer(); barrier();
  }
  const uint bin = vyre_f32_to_u32(sum) % 16u;
  atomicAdd(t[bin], floatBitsToUint(sum));
  memoryBarrierBuffer(); barrier();
  const vec2 pair = vec2(sum, 2.0f);
  atomicMax(bins[bin], t[bin] + p[1u] + vyre_f32_to_u32(pair.y));
}
)";

TEST(Dialects, EmitGlslFromATable) {
  const auto text = emitted(glsl_like(), "k");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, kExpectedGlsl);
}

TEST(Dialects, NameThemselvesInMessages) {
  const auto text = emitted(kCudaLike, "threadIdx");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message,
            "\"threadIdx\" cannot be the name of a CUDA kernel; choose another entry name");
}

}  // namespace
}  // namespace vyre::emit
