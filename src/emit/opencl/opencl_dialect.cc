#include "emit/opencl/opencl_dialect.h"

#include <fmt/format.h>

#include "emit/opencl/opencl_prelude.h"
#include "emit/opencl/opencl_words.h"

namespace vyre::emit::opencl {
namespace {

using ir::Op;

constexpr std::array kOperations{
    OpSpelling{Op::bitcast, TypeFamily::integer, "as_$C($0)"},
    OpSpelling{Op::bitcast, TypeFamily::real, "as_$C($0)"},
    OpSpelling{Op::min, TypeFamily::integer, "min($0, $1)"},
    OpSpelling{Op::max, TypeFamily::integer, "max($0, $1)"},
    OpSpelling{Op::abs, TypeFamily::real, "fabs($0)"},
    // OpenCL's abs gives the unsigned type.
    OpSpelling{Op::abs, TypeFamily::integer, "($C)abs($0)"},
};

std::string kernel(const KernelParts& parts) {
  std::vector<std::string> arguments;
  for (const BufferParameter& b : parts.buffers) {
    arguments.push_back(fmt::format("__global {}{}* restrict {}", b.is_read_only ? "const " : "",
                                    b.element, b.name));
  }
  for (const ValueParameter& v : parts.values) arguments.push_back(v.type + " " + v.name);
  const auto& [x, y, z] = parts.workgroup;
  return fmt::format(
      "// program {}\n__kernel __attribute__((reqd_work_group_size({}, {}, {})))\n"
      "void {}({}) {{\n{}}}\n",
      parts.program, x, y, z, parts.entry, argument_list(arguments), parts.body);
}

}  // namespace

constexpr Dialect kDialect{
    .a_kernel = "an OpenCL kernel",
    .head = "#pragma OPENCL FP_CONTRACT OFF\n",
    .reserved = kReserved,
    .types = {"bool", "uint", "int", "ulong", "long", "float"},
    .vector_types = {"", "uint$W", "", "", "", "float$W"},
    .index_type = "size_t",
    .vector = "($C)($0)",
    .operations = kOperations,
    .ids = {"get_global_id($A)", "get_local_id($A)", "get_group_id($A)", "get_global_size($A)",
            "get_local_size($A)", "get_num_groups($A)"},
    .ids_are_wide = true,
    .spaces = {"__global", "__local", "__private"},
    .load_vector = "vload$W($0, $1)",
    .store_vector = "vstore$W($2, $0, $1)",
    .element_to_update = "&$0[$1]",
    .atomics = {"atomic_add", "atomic_min", "atomic_max", "atomic_xchg", "atomic_cmpxchg"},
    .local_array = "__local $C $N[$L];",
    .private_array = "$C $N[$L] = {0};",
    .barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    .local_barrier = "barrier(CLK_LOCAL_MEM_FENCE);",
    // PoCL 3.1 (LLVM 15) loses conditions of stores that stand between a barrier inside an `if` and
    // the code behind that `if`, unless the branch ends with a barrier.
    .branch_end_barrier = "barrier(CLK_LOCAL_MEM_FENCE);",
    .unroll = "#pragma unroll $0",
    .kernel = kernel,
    .prelude = kPrelude,
};

}  // namespace vyre::emit::opencl
