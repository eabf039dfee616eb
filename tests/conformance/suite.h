// The conformance suite: what every backend must do. A backend joins with one small file (see
// reference_test.cc): how to open it, and two lists of cases that it skips.
//
// `never`: the device cannot do this, and need not. `not_yet`: it should, and will; such a case
// runs all the same, and passing fails the run, so that no list outlives its reason.

#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "vyre/call.h"

namespace vyre::conformance {

using Bytes = std::vector<std::byte>;

template <class T>
Bytes bytes(const std::vector<T>& values) {
  Bytes out(values.size() * sizeof(T));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

// A program with its inputs and what must come out of it, on every device.
struct Case {
  std::string name;
  std::string text;  // of the program or sequence
  std::vector<Bytes> inputs;
  std::vector<Bytes> expected;
  std::vector<Argument> arguments = {};
  Config config = {};
  std::optional<Extent> grid = std::nullopt;
  std::uint32_t ulp = 0;  // above 0: outputs are f32 and may differ by that much
};

// One list per file of cases.
std::vector<Case> value_cases();     // operations, types, vectors
std::vector<Case> flow_cases();      // if, for, while, return, regions
std::vector<Case> memory_cases();    // buffers, arrays, atomics, bounds
std::vector<Case> sequence_cases();  // grids, shapes, tunables, sequences

// Checks that are more than one dispatch; each fails by itself through GoogleTest.
struct Behaviour {
  std::string name;
  void (*check)(const std::shared_ptr<Device>& device);
};
std::vector<Behaviour> behaviours();

struct Skip {
  std::string name;
  std::string because;
};

struct Joining {
  std::string name;  // of the backend
  std::function<std::shared_ptr<Device>()> open;
  std::vector<Skip> never = {};
  std::vector<Skip> not_yet = {};
  // What is missing to run the backend here and how to get it, for one that not every machine can
  // have; empty: nothing. All its cases are skipped then.
  std::function<std::string()> missing = {};
};

// Registers every case as the test NAME.CASE. Called while static objects are made.
bool join(const Joining& backend);

// Two f32 within `ulp` units in the last place; denormals may be zeros, NaNs are equal.
bool close(float a, float b, std::uint32_t ulp);

}  // namespace vyre::conformance
