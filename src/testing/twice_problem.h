// y = 2 x as a T1 file whose kernel misbehaves in a way of the test's choice.

#pragma once

#include <string>
#include <vector>

namespace vyre::testing {

// The kernel is "twice" in the file twice.cl: float x[4096], float y[4096], uint n.
struct TwiceT1 {
  std::string ways = "0";                 // values of the tunable `way`, with commas between
  int standard = 0;                       // default of `way`
  std::string blocks = "32, 64";          // values of the tunable `block`, the size of a workgroup
  std::vector<std::string> options = {};  // of the compiler
};
std::string to_t1(const TwiceT1& problem);

// A program in text form that PoCL compiles for minutes, under a lock that every later compilation
// waits for. A buffer u32 y[n], and a tunable `turns`.
extern const char* const kCompileBomb;

}  // namespace vyre::testing
