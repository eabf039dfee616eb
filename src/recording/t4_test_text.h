// T4 texts that several tests start from.

#pragma once

#include <string>
#include <string_view>

namespace vyre::recording {

// A document with these rows.
inline std::string document(std::string_view rows, std::string_view more = "") {
  return "{\"results\": [" + std::string(rows) + "]" + std::string(more) + "}";
}

// A correct row with `change` in front; of two fields of one name the first counts.
inline std::string row_with(const std::string& change) {
  return "{" + change +
         R"("configuration": {"x": 1}, "times": {"runtimes": [2, 4]}, "invalidity": "correct"})";
}

// A file as Kernel Tuner writes it: one configuration that ran and one that did not compile.
inline constexpr const char* kKernelTuner = R"({
  "results": [
    {"timestamp": "2023-12-22 09:53:48", "configuration": {"y": 4, "x": 16, "pad": true},
     "times": {"compilation": 10.5, "benchmark": 1, "framework": 2, "search_algorithm": 3,
               "validation": 4, "runtimes": [1.5, 1.25]},
     "invalidity": "correct", "correctness": 1,
     "measurements": [{"name": "GFLOP/s", "value": 7, "unit": ""},
                      {"name": "time", "value": 1.375, "unit": "ms"}],
     "objectives": ["time"]},
    {"configuration": {"x": 8, "pad": false, "y": 4}, "times": {"compilation": 3},
     "invalidity": "compile", "correctness": 1,
     "measurements": [{"name": "time", "value": "CompilationFailedConfig", "unit": "ms"}]}
  ],
  "schema_version": "1.0.0", "metadata": {"timeunit": "milliseconds", "device": "A4000"}})";

}  // namespace vyre::recording
