// Result: a value, or one line that says what is wrong with a PTX text.

#pragma once

#include <expected>
#include <string>
#include <utility>

namespace fake_cuda {

template <class T>
using Result = std::expected<T, std::string>;

// "line 12: TEXT"
inline std::unexpected<std::string> wrong_at(int line, const std::string& text) {
  return std::unexpected("line " + std::to_string(line) + ": " + text);
}

}  // namespace fake_cuda

#define FAKE_CUDA_CONCAT_(a, b) a##b
#define FAKE_CUDA_CONCAT(a, b) FAKE_CUDA_CONCAT_(a, b)

// FAKE_CUDA_TRY(auto x, f()); declares `x` or returns f's error from this function.
#define FAKE_CUDA_TRY(declaration, ...) \
  FAKE_CUDA_TRY_(FAKE_CUDA_CONCAT(fake_cuda_try_, __LINE__), declaration, __VA_ARGS__)
#define FAKE_CUDA_TRY_(temporary, declaration, ...)                     \
  auto temporary = __VA_ARGS__;                                         \
  if (!temporary) return std::unexpected(std::move(temporary).error()); \
  declaration = *std::move(temporary)

#define FAKE_CUDA_TRY_VOID(...)                                         \
  do {                                                                  \
    if (auto fake_cuda_try_result = __VA_ARGS__; !fake_cuda_try_result) \
      return std::unexpected(std::move(fake_cuda_try_result).error());  \
  } while (false)
