#include "emit/cuda/cuda_dialect.h"

#include <fmt/format.h>

#include "emit/cuda/cuda_prelude.h"
#include "emit/cuda/cuda_words.h"

namespace vyre::emit::cuda {
namespace {

using ir::Op;

// Functions of CUDA have names for each type. They are called in the prelude only, which knows the
// type; so no name of a program can hide one of them.
constexpr std::array kOperations{
    OpSpelling{Op::bitcast, TypeFamily::integer, "vyre_bits_$T($0)"},
    OpSpelling{Op::bitcast, TypeFamily::real, "vyre_float_bits_$T($0)"},
    OpSpelling{Op::mulhi, TypeFamily::integer, "vyre_mulhi_$T($0, $1)"},
    OpSpelling{Op::popcount, TypeFamily::integer, "vyre_popcount_$T($0)"},
    OpSpelling{Op::clz, TypeFamily::integer, "vyre_clz_$T($0)"},
    OpSpelling{Op::min, TypeFamily::real, "vyre_fmin_$T($0, $1)"},
    OpSpelling{Op::max, TypeFamily::real, "vyre_fmax_$T($0, $1)"},
    OpSpelling{Op::abs, TypeFamily::real, "vyre_fabs_$T($0)"},
    OpSpelling{Op::fma, TypeFamily::real, "vyre_fma_$T($0, $1, $2)"},
    OpSpelling{Op::sqrt, TypeFamily::real, "vyre_sqrt_$T($0)"},
    OpSpelling{Op::rsqrt, TypeFamily::real, "vyre_rsqrt_$T($0)"},
    OpSpelling{Op::log, TypeFamily::real, "vyre_log_$T($0)"},
    OpSpelling{Op::log2, TypeFamily::real, "vyre_log2_$T($0)"},
    OpSpelling{Op::sin, TypeFamily::real, "vyre_sin_$T($0)"},
    OpSpelling{Op::cos, TypeFamily::real, "vyre_cos_$T($0)"},
    OpSpelling{Op::is_nan, TypeFamily::real, "vyre_is_nan_$T($0)"},
};

std::string kernel(const KernelParts& parts) {
  std::vector<std::string> arguments;
  for (const BufferParameter& b : parts.buffers) {
    arguments.push_back(
        fmt::format("{}{}* __restrict__ {}", b.is_read_only ? "const " : "", b.element, b.name));
  }
  for (const ValueParameter& v : parts.values) arguments.push_back(v.type + " " + v.name);
  const auto& [x, y, z] = parts.workgroup;
  return fmt::format(
      "// program {}\nextern \"C\" __global__ void __launch_bounds__({})\n{}({}) {{\n{}}}\n",
      parts.program, x * y * z, parts.entry, argument_list(arguments), parts.body);
}

}  // namespace

constexpr Dialect kDialect{
    .a_kernel = "a CUDA kernel",
    .head = "using u64 = unsigned long long;\nusing i64 = long long;\n",
    .reserved = kReserved,
    .literals = {.u64 = "ull", .i64 = "ll", .float_of_bits = "__uint_as_float($0)"},
    .types = {"bool", "unsigned", "int", "u64", "i64", "float"},
    .vector_types = {"", "vyre_u32x$W", "", "", "", "vyre_f32x$W"},
    .index_type = "u64",
    .vector = "$C{$0}",
    .operations = kOperations,
    // The size of a block as a constant is one register less than blockDim.
    .ids = {"(blockIdx.$X * $S + threadIdx.$X)", "threadIdx.$X", "blockIdx.$X", "(gridDim.$X * $S)",
            "blockDim.$X", "gridDim.$X"},
    .spaces = {},
    .load_vector = "$C::load($1, $0)",
    .store_vector = "$C::store($1, $0, $2)",
    .element_to_update = "&$0[$1]",
    .atomics = {"atomicAdd", "atomicMin", "atomicMax", "atomicExch", "atomicCAS"},
    .local_array = "__shared__ $C $N[$L];",
    .private_array = "$C $N[$L] = {};",
    .barrier = "__syncthreads();",
    .local_barrier = "__syncthreads();",
    .unroll = "#pragma unroll $0",
    .kernel = kernel,
    .prelude = kPrelude,
};

}  // namespace vyre::emit::cuda
