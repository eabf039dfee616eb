// How much memory there is, to refuse sizes before they are allocated: Linux promises memory that
// it does not have, and ends a process that uses it.

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string_view>

#include "vyre/error.h"

namespace vyre {

// Bytes that this process can still use: the least of what the machine has free, what its control
// group has left, and what its own limit on addresses leaves. Without any of these, the largest
// number.
std::uint64_t free_memory_bytes();

// `what` names the thing that needs the bytes: "\"saxpy\"". The message says how many are free.
Expected<void> check_memory(std::string_view what, std::uint64_t bytes);

// Bytes of memory that a process has in use. 0 if there is no such process.
std::uint64_t resident_bytes(pid_t process);

// a * b, or the largest number: sizes from outside may overflow.
constexpr std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? ~std::uint64_t{0} : out;
}

constexpr std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_add_overflow(a, b, &out) ? ~std::uint64_t{0} : out;
}

}  // namespace vyre
