#include "backend/vulkan/no_contraction.h"

#include <algorithm>
#include <array>
#include <set>

namespace vyre::backend::vulkan {
namespace {

constexpr std::size_t kHeaderWords = 5;
constexpr std::uint32_t kDecorate = 71;
constexpr std::uint32_t kNoContractionDecoration = 42;
// Types, constants and global variables follow all decorations. These are their opcodes.
constexpr std::uint32_t kFirstOfTypes = 19;
constexpr std::uint32_t kLastOfTypes = 59;
// OpFNegate, OpFAdd, OpFSub, OpFMul, OpFDiv, OpFRem, OpFMod, OpVectorTimesScalar, OpDot.
constexpr std::array<std::uint32_t, 9> kFloatOps{127, 129, 131, 133, 136, 140, 141, 142, 148};

struct Found {
  std::size_t end_of_decorations = 0;  // in words
  std::set<std::uint32_t> operations{};
};

// An instruction is its length in words (high half of its first word), its opcode (low half), and
// its operands: for an operation, the type and the id of its result come first.
Found find_operations(std::span<const std::uint32_t> module) {
  Found out;
  std::set<std::uint32_t> decorated;
  for (std::size_t at = kHeaderWords; at < module.size();) {
    const std::uint32_t words = module[at] >> 16U;
    const std::uint32_t op = module[at] & 0xffffU;
    if (words == 0 || at + words > module.size()) break;
    if (op >= kFirstOfTypes && op <= kLastOfTypes && out.end_of_decorations == 0) {
      out.end_of_decorations = at;
    }
    if (op == kDecorate && module[at + 2] == kNoContractionDecoration) {
      decorated.insert(module[at + 1]);
    }
    if (std::ranges::count(kFloatOps, op) != 0) out.operations.insert(module[at + 2]);
    at += words;
  }
  for (const std::uint32_t id : decorated) out.operations.erase(id);
  return out;
}

}  // namespace

std::vector<std::uint32_t> without_contraction(std::span<const std::uint32_t> module) {
  const Found found = find_operations(module);
  const auto middle = static_cast<std::ptrdiff_t>(found.end_of_decorations);
  std::vector<std::uint32_t> out(module.begin(), module.begin() + middle);
  for (const std::uint32_t id : found.operations) {
    for (const std::uint32_t word : {3U << 16U | kDecorate, id, kNoContractionDecoration}) {
      out.push_back(word);
    }
  }
  out.insert(out.end(), module.begin() + middle, module.end());
  return out;
}

}  // namespace vyre::backend::vulkan
