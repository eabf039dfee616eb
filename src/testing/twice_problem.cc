#include "testing/twice_problem.h"

#include <fmt/format.h>

namespace vyre::testing {

std::string to_t1(const TwiceT1& problem) {
  std::string options;
  for (const std::string& option : problem.options) {
    options += (options.empty() ? "\"" : ", \"") + option + "\"";
  }
  return fmt::format(R"({{
  "General": {{"BenchmarkName": "twice"}},
  "ConfigurationSpace": {{
    "TuningParameters": [
      {{"Name": "block", "Type": "int", "Values": "[{}]", "Default": 64}},
      {{"Name": "way", "Type": "int", "Values": "[{}]", "Default": {}}}
    ],
    "Conditions": []
  }},
  "KernelSpecification": {{
    "Language": "OpenCL",
    "CompilerOptions": [{}],
    "KernelName": "twice",
    "KernelFile": "twice.cl",
    "GlobalSizeType": "OpenCL",
    "ProblemSize": [4096],
    "LocalSize": {{"X": "block"}},
    "GlobalSize": {{"X": "ProblemSize[0]"}},
    "Arguments": [
      {{"Name": "x", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly",
       "FillType": "Random", "Size": "ProblemSize[0]"}},
      {{"Name": "y", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly",
       "FillType": "Constant", "FillValue": 0, "Size": "ProblemSize[0]", "Output": 1}},
      {{"Name": "n", "Type": "uint32", "MemoryType": "Scalar", "FillValue": 4096}}
    ]
  }}
}})",
                     problem.blocks, problem.ways, problem.standard, options);
}

const char* const kCompileBomb = R"(program bomb {
  shape n: u32
  tunable turns: u32 = 1000u
  read_write y: u32[n]
  source opencl_c "bomb" (y)
    "__kernel void bomb(__global uint* y) {"
    "  uint sum = y[get_global_id(0)];"
    "  #pragma unroll 1000"
    "  for (uint j = 0; j < 1000; ++j) {"
    "    #pragma unroll 1000"
    "    for (uint k = 0; k < turns; ++k) sum = sum * y[sum % 16 + j] ^ k;"
    "  }"
    "  y[get_global_id(0)] = sum;"
    "}"
}
)";

}  // namespace vyre::testing
