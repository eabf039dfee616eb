// T1 texts that several tests start from. They are correct except for the part that a test puts in.

#pragma once

#include <string>

namespace vyre::recording {

inline constexpr const char* kParameter = R"({"Name": "x", "Type": "int", "Values": "[1, 2]"})";
inline constexpr const char* kKernel =
    R"("Language": "CUDA", "KernelName": "k", "KernelFile": "k.cu",
  "GlobalSize": {"X": "64 // x"}, "LocalSize": {"X": "x"})";

inline std::string t1_document(const std::string& space, const std::string& kernel,
                               const char* more = "") {
  return R"({"ConfigurationSpace": {)" + space + R"(}, "KernelSpecification": {)" + kernel + "}" +
         more + "}";
}
inline std::string with_parameters(const std::string& list, const std::string& conditions = "") {
  return t1_document("\"TuningParameters\": [" + list + "], \"Conditions\": [" + conditions + "]",
                     kKernel);
}
inline std::string with_kernel(const std::string& kernel) {
  return t1_document(std::string("\"TuningParameters\": [") + kParameter + "]", kernel);
}
inline std::string with(const char* more) {
  return t1_document(std::string("\"TuningParameters\": [") + kParameter + "]", kKernel, more);
}

}  // namespace vyre::recording
