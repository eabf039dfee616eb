#include "testing/tuned_programs.h"

#include "vyre/builder.h"

namespace vyre::testing {
namespace {

constexpr std::uint32_t kRounds = 512;

template <class Change>
std::vector<std::uint32_t> changed(std::size_t count, const Change& change) {
  std::vector<std::uint32_t> out = words(count);
  for (std::uint32_t& word : out) word = change(word);
  return out;
}

}  // namespace

const ir::Sequence& free_program() {
  static const ir::Sequence kSequence = *ir::Sequence::make(*ir::build("free", [](ir::Builder& b) {
    auto n = b.shape("n");
    auto x = b.read(ir::u32, "x", n);
    auto out = b.write(ir::u32, "out", n);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { out[i] = x[i] * 3 + 1; });
  }));
  return kSequence;
}

const ir::Sequence& busy_program() {
  static const ir::Sequence kSequence = *ir::Sequence::make(*ir::build("busy", [](ir::Builder& b) {
    auto work = b.tunable("work", kRounds);
    auto block = b.tunable("block", 16);
    auto n = b.shape("n");
    auto x = b.read_write(ir::u32, "x", n);
    b.workgroup(block);
    auto i = b.global_id(0);
    b.if_(i < n, [&] {
      auto same = b.var("same", x[i]);
      b.for_("k", 0, work, [&](const ir::Value& k) { same = (same ^ k) ^ k; });
      x[i] = same + 7;
    });
  }));
  return kSequence;
}

space::Space busy_space() {
  return *space::Space::build(
      {.parameters = {{"work", {1, 64, 256, 512}}, {"block", {16, 32}}}, .constraints = {}});
}

const ir::Sequence& wrong_program() {
  static const ir::Sequence kSequence = *ir::Sequence::make(*ir::build("wrong", [](ir::Builder& b) {
    auto tile = b.tunable("tile", 1);
    auto n = b.shape("n");
    auto x = b.read(ir::u32, "x", n);
    auto out = b.write(ir::u32, "out", n);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { out[i] = x[i] + tile; });
  }));
  return kSequence;
}

Problem three_configurations() {
  const auto program = ir::build("p", [](ir::Builder& b) {
    auto k = b.tunable(ir::u32, "k", 1);
    auto y = b.write(ir::u32, "y", 4);
    y[b.global_id(0)] = k;
  });
  auto space = space::Space::build(
      {.parameters = {{"k", {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}}}},
       .constraints = {}});
  return {.name = "p", .sequence = *ir::Sequence::make(*program), .space = *space};
}

std::vector<std::uint32_t> words(std::size_t count) {
  std::vector<std::uint32_t> out(count);
  for (std::size_t k = 0; k < count; ++k) out[k] = static_cast<std::uint32_t>(k * 2654435761U);
  return out;
}

std::vector<std::uint32_t> free_result(std::size_t count) {
  return changed(count, [](std::uint32_t word) { return word * 3 + 1; });
}

std::vector<std::uint32_t> busy_result(std::size_t count) {
  return changed(count, [](std::uint32_t word) { return word + 7; });
}

}  // namespace vyre::testing
