// Sizes that T1 writes in Python's syntax, as size expressions of the kernel language.
//
// The translation means the same for every value of the names: `//` floors where its left side may
// be negative, comparisons chain, `and` and `or` give a value. Fractions, texts and lists are no
// sizes of the language: they are errors that say what to write instead.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/builder.h"
#include "vyre/config.h"

namespace vyre {

struct SizeName {
  ir::Value value{};
  ir::Scalar type = ir::u32;
  std::int64_t least = 0;  // a lower bound of its value
  // A parameter's values: max(name) and min(name) are the largest and smallest of them.
  std::vector<Value> values{};
  std::string why_not{};  // not empty: why it is no size, and what to do
};
using SizeNames = std::map<std::string, SizeName, std::less<>>;

// A u32. The names' values belong to `b`.
Expected<ir::Value> to_size(ir::Builder& b, std::string_view text, const SizeNames& names);

}  // namespace vyre
