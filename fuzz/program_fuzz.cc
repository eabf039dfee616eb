// Validator and interpreter: whatever passes `validate` runs without a crash, within its budget,
// and reads and writes nothing outside its buffers. Programs are damaged random ones, or any text.

#include <fuzzer/FuzzedDataProvider.h>

#include <optional>

#include "base/check.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "ir/rewrite/sequence_of.h"
#include "testing/mutate_program.h"
#include "testing/random_program.h"
#include "vyre/call.h"
#include "vyre/program.h"

namespace vyre {
namespace {

constexpr std::uint64_t kMostElements = 1U << 16U;

std::optional<ir::SequenceDef> make_program(FuzzedDataProvider& data) {
  if (data.ConsumeBool()) {
    const auto edits = data.ConsumeIntegralInRange<int>(0, 6);
    ir::Program program = testing::random_program(data.ConsumeIntegral<std::uint16_t>());
    for (int k = 0; k < edits; ++k) testing::mutate(program, data.ConsumeIntegral<std::uint32_t>());
    if (!ir::validate(program).empty()) return std::nullopt;
    return ir::sequence_of(std::move(program));
  }
  auto parsed = ir::parse(data.ConsumeRemainingBytesAsString());
  return parsed ? std::optional(*std::move(parsed)) : std::nullopt;
}

// Small values for all shapes and scalars, so that most lengths can be allocated.
std::vector<Argument> arguments_for(const ir::SequenceDef& def, std::uint64_t value) {
  std::vector<Argument> out;
  for (const ir::Symbol& s : def.symbols) {
    if (s.kind != ir::SymbolKind::tunable) {
      out.push_back({s.name, s.type == ir::Scalar::boolean ? value & 1U : value});
    }
  }
  return out;
}

void run(const ir::Sequence& sequence, std::uint64_t value) {
  static const auto device = open_reference({.threads = 1, .budget = 1'000'000});
  const ir::SequenceDef& def = sequence.def();
  const auto arguments = arguments_for(def, value);
  auto known = ir::default_bits(def.symbols);
  for (std::size_t k = 0, next = 0; k < known.size(); ++k) {
    if (!known[k]) known[k] = arguments[next++].bits;
  }
  std::vector<std::vector<std::byte>> contents;
  for (const ir::Buffer& b : def.buffers) {
    const auto length = ir::fold(def, b.length, known);
    if (!length || *length > kMostElements) return;
    if (!ir::takes_input(b.access)) continue;
    contents.emplace_back(*length * ir::byte_size(b.element), std::byte{0x5a});
  }
  const std::vector<Input> inputs(contents.begin(), contents.end());
  const auto outputs =
      make_dispatcher(device)->dispatch(sequence, {.inputs = inputs, .arguments = arguments});
  if (outputs) return;
  VYRE_CHECK(outputs.error().message.find('\n') == std::string::npos);
}

}  // namespace
}  // namespace vyre

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  const std::uint64_t value = 1 + data.ConsumeIntegral<std::uint8_t>() % 100;
  auto def = vyre::make_program(data);
  if (!def) return 0;
  const auto sequence = vyre::ir::Sequence::make(*std::move(def));
  if (sequence) vyre::run(*sequence, value);
  return 0;
}
