#include "testing/chains.h"

#include <bit>
#include <ostream>

#include "base/check.h"
#include "base/error.h"
#include "base/files/whole_file.h"
#include "ir/ops.h"
#include "testing/oracles/image_chains.h"
#include "testing/oracles/row_chains.h"
#include "testing/oracles/vector_chains.h"

namespace vyre::testing {
namespace {

const Chain kChains[] = {
    {"vadd", {{"n", 1001}}, {}, vadd, true},
    {"waxpby", {{"n", 1001}}, {{"alpha", 1.5F}, {"beta", -0.75F}}, waxpby, true},
    {"saxpy4",
     {{"n", 1001}},
     {{"a0", 0.5F}, {"a1", -1.25F}, {"a2", 2.0F}, {"a3", 0.375F}},
     saxpy4,
     false},
    {"axpydot", {{"parts", 7}, {"chunk", 53}}, {{"a", 0.625F}}, axpydot, false},
    {"gesummv", {{"n", 45}}, {{"alpha", 1.5F}, {"beta", -0.5F}}, gesummv, false},
    {"gemver", {{"n", 45}}, {{"alpha", 1.5F}, {"beta", -0.5F}}, gemver, false},
    {"rmsnorm", {{"rows", 7}, {"cols", 45}}, {{"epsilon", 1e-5F}}, rmsnorm, true},
    {"layernorm", {{"rows", 7}, {"cols", 45}}, {{"epsilon", 1e-5F}}, layernorm, true},
    {"softmax", {{"rows", 7}, {"cols", 45}}, {}, softmax, true},
    {"blur", {{"w", 37}, {"h", 29}}, {}, blur, true},
    {"unsharp", {{"w", 37}, {"h", 29}}, {{"amount", 1.5F}}, unsharp, true},
    {"harris", {{"w", 37}, {"h", 29}}, {{"kappa", 0.04F}}, harris, false},
    {"gemm_bias_gelu", {{"m", 13}, {"n", 37}, {"k", 9}}, {}, gemm_bias_gelu, false},
    {"attention",
     {{"queries", 13}, {"keys", 37}, {"depth", 9}},
     {{"alpha", 0.125F}},
     attention,
     false},
};

ir::Sequence read_sequence(const std::filesystem::path& file) {
  const auto text = read_file(file, ir::Limits::kTextBytes);
  VYRE_CHECK(text);
  auto def = ir::parse(*text);
  VYRE_CHECK(def);
  auto sequence = ir::Sequence::make(*std::move(def));
  VYRE_CHECK(sequence);
  return *std::move(sequence);
}

std::string file_of(const Chain& chain) { return std::string(chain.name) + ".vyre"; }

}  // namespace

std::span<const Chain> chains() { return kChains; }

void PrintTo(const Chain& chain, std::ostream* out) { *out << chain.name; }

ir::Sequence chain_as_written(const std::filesystem::path& top, const Chain& chain) {
  return read_sequence(top / "examples" / "chains" / file_of(chain));
}

ir::Sequence chain_by_hand(const std::filesystem::path& top, const Chain& chain) {
  return read_sequence(top / "bench" / "chains_by_hand" / file_of(chain));
}

space::Definition space_of(const ir::Sequence& sequence) {
  space::Definition out;
  for (const ir::Symbol& tunable : sequence.tunables()) {
    space::Parameter parameter{.name = tunable.name, .values = {}};
    for (const std::uint64_t bits : tunable.values) {
      parameter.values.emplace_back(static_cast<std::int64_t>(bits));
    }
    if (!parameter.values.empty()) out.parameters.push_back(std::move(parameter));
  }
  return out;
}

Expected<Problem> problem_for(const Chain& chain, const ir::Sequence& sequence,
                              const ProblemSizes& sizes, Plans plans) {
  ChainOptions options{.sizes = sizes, .fuse = plans == Plans::all};
  for (const auto& [name, value] : chain.scalars) {
    options.scalars[name] = static_cast<double>(value);
  }
  VYRE_TRY(Problem out, chain_problem(sequence, options));
  out.tolerance = {.absolute = 1e-3, .relative = 1e-3};
  return out;
}

ChainData data_of(const Problem& problem) {
  ChainData out;
  std::size_t next = 0;
  for (const ir::Buffer& buffer : problem.sequence.def().buffers) {
    if (!ir::takes_input(buffer.access)) continue;
    out.inputs[buffer.name] = values_of<float>((*problem.inputs)[next++]);
  }
  for (const auto& [name, bits] : problem.arguments) {
    if (problem.sizes.contains(name)) {
      out.sizes[name] = bits;
    } else {
      out.scalars[name] = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    }
  }
  return out;
}

}  // namespace vyre::testing
