#include "problems/chain.h"

#include <bit>
#include <limits>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "fuse/plan_space.h"
#include "fuse/pruner.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "ir/source.h"
#include "ir/tunable_value.h"
#include "problems/fill.h"

namespace vyre {
namespace {

// A scalar that nobody gives. A size would have to be known, so such scalars are asked for.
std::uint64_t usual_bits(ir::Scalar type, std::size_t number) {
  if (type != ir::Scalar::f32) return 1;
  return std::bit_cast<std::uint32_t>(static_cast<float>(0.5 + uniform(1000, number)));
}

// Whole numbers are good for an f32, too.
std::optional<std::uint64_t> bits_for(const Value& value, ir::Scalar type) {
  if (type == ir::Scalar::f32) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
      return std::bit_cast<std::uint32_t>(static_cast<float>(*whole));
    }
    if (const auto* real = std::get_if<double>(&value)) {
      return std::bit_cast<std::uint32_t>(static_cast<float>(*real));
    }
  }
  return ir::bits_of(value, type);
}

// As `vyre run` and the bundled problems fill inputs: floats from -1 to below 1, integers from 0 to
// 99. Elements that only a source program knows are zeros.
Origin random_elements(const ir::Buffer& buffer, std::uint64_t seed, std::uint64_t count) {
  const std::size_t size = ir::element_bytes(buffer);
  if (buffer.opaque_bytes > 0) return {.type = "uint8", .lanes = count * size};
  if (buffer.element == ir::Scalar::f32) {
    return {.type = "float", .from = -1, .span = 2, .seed = seed, .lanes = count};
  }
  return {.type = size == 8 ? "uint64" : "uint32", .span = 100, .seed = seed, .lanes = count};
}

class ChainMaker {
 public:
  ChainMaker(const ir::Sequence& sequence, const ChainOptions& options)
      : name_(sequence.def().name), sequence_(sequence), def_(sequence.def()), options_(options) {}

  Expected<Problem> run(space::Definition definition) {
    if (definition.parameters.empty()) {
      return bad_inputs(
          "{}: there is nothing to tune{}; list the values of a tunable, as in \"tunable t: u32 = "
          "1u in 1u, 2u\"",
          name_, options_.fuse ? ", and no two steps can be fused" : "");
    }
    VYRE_TRY_VOID(check_names());
    Config untuned;
    for (const space::Parameter& p : definition.parameters) untuned.set(p.name, default_of(p.name));
    auto space = space::Space::build(std::move(definition));
    if (!space) return bad_inputs("{}: {}", name_, space.error().message);
    const auto index = space->find(untuned);
    if (!index) return bad_inputs("{}: the defaults are not in the space", name_);
    Problem out{.name = name_, .sequence = sequence_, .space = *space, .default_index = *index};
    VYRE_TRY_VOID(add_arguments(out));
    VYRE_TRY_VOID(add_inputs(out));
    return out;
  }

 private:
  Value default_of(const std::string& tunable) const {
    const auto& all = sequence_.tunables();
    const auto it = std::ranges::find(all, tunable, &ir::Symbol::name);
    return ir::value_of(it->type, it->default_bits);
  }

  Expected<void> check_names() const {
    for (const auto& [name, value] : options_.sizes) {
      VYRE_TRY_VOID(check_name(name, ir::SymbolKind::shape));
    }
    for (const auto& [name, value] : options_.scalars) {
      VYRE_TRY_VOID(check_name(name, ir::SymbolKind::scalar));
    }
    return {};
  }

  Expected<void> check_name(const std::string& name, ir::SymbolKind kind) const {
    std::vector<std::string> names;
    for (const ir::Symbol& s : def_.symbols) {
      if (s.kind == kind) names.push_back(s.name);
    }
    if (std::ranges::find(names, name) != names.end()) return {};
    return bad_inputs("{}: there is no {} {}{}", name_, ir::name_of(kind), quote(name),
                      did_you_mean(name, names));
  }

  Expected<void> add_arguments(Problem& out) {
    known_ = ir::default_bits(def_.symbols);
    for (std::size_t k = 0; k < def_.symbols.size(); ++k) {
      const ir::Symbol& s = def_.symbols[k];
      if (s.kind == ir::SymbolKind::tunable) continue;
      const bool is_shape = s.kind == ir::SymbolKind::shape;
      VYRE_TRY(const std::uint64_t bits, is_shape ? size_of(s) : scalar_of(s, k));
      known_[k] = bits;
      out.arguments.emplace_back(s.name, bits);
      if (is_shape) out.sizes[s.name] = static_cast<double>(bits);
    }
    return {};
  }

  Expected<std::uint64_t> size_of(const ir::Symbol& shape) const {
    const auto it = options_.sizes.find(shape.name);
    const std::uint64_t size = it == options_.sizes.end() ? shape.default_bits : it->second;
    if (size >= 1 && size <= std::numeric_limits<std::uint32_t>::max()) return size;
    if (it != options_.sizes.end()) {
      return bad_inputs("{}: shape {} cannot be {}; give a number from 1 to 4294967295", name_,
                        quote(shape.name), size);
    }
    return bad_inputs("{}: shape {} has no size; give one (--size {}=1000), or declare it with one",
                      name_, quote(shape.name), shape.name);
  }

  Expected<std::uint64_t> scalar_of(const ir::Symbol& scalar, std::size_t index) const {
    const auto it = options_.scalars.find(scalar.name);
    if (it == options_.scalars.end()) {
      if (!sequence_.decides_sizes(index)) return usual_bits(scalar.type, index);
      return bad_inputs("{}: scalar {} decides a size; give it a value (--set {}=1000)", name_,
                        quote(scalar.name), scalar.name);
    }
    if (const auto bits = bits_for(it->second, scalar.type)) return *bits;
    return bad_inputs("{}: scalar {} cannot be {}; it is a {}", name_, quote(scalar.name),
                      to_string(it->second), ir::name_of(scalar.type));
  }

  // The lengths are checked before the first input is made.
  Expected<void> add_inputs(Problem& out) const {
    std::uint64_t bytes = 0;
    std::vector<std::pair<const ir::Buffer*, std::uint64_t>> wanted;
    for (const ir::Buffer& b : def_.buffers) {
      const auto length = ir::fold(def_, b.length, known_);
      if (!length) return bad_inputs("{}: the length of {} is not known", name_, quote(b.name));
      if (*length > kMostDataBytes / ir::element_bytes(b)) {
        return bad_inputs("{}: buffer {} of {} elements is above 2 GiB; choose smaller sizes",
                          name_, quote(b.name), *length);
      }
      bytes = saturating_sum(bytes, *length * ir::element_bytes(b));
      if (ir::takes_input(b.access)) wanted.emplace_back(&b, *length);
    }
    VYRE_TRY_VOID(check_memory(name_, bytes));
    Outputs inputs;
    for (const auto& [buffer, length] : wanted) {
      out.random_inputs.push_back(buffer->opaque_bytes == 0);
      const Origin& origin =
          out.input_origins.emplace_back(random_elements(*buffer, inputs.size(), length));
      inputs.push_back(made_from(origin).value());
    }
    out.inputs = std::make_shared<const Outputs>(std::move(inputs));
    return {};
  }

  std::string name_;
  const ir::Sequence& sequence_;
  const ir::SequenceDef& def_;
  const ChainOptions& options_;
  std::vector<std::optional<std::uint64_t>> known_;
};

// Plans that the pruner refuses leave the space. The default fuses nothing, and stays.
Expected<void> leave_out(fuse::Widened& widened, const DeviceLimits& limits, Problem& out) {
  const std::vector<Input> inputs = inputs_of(out);
  const std::vector<Argument> arguments = arguments_of(out);
  VYRE_TRY(const auto pruned,
           fuse::prune(widened, {.inputs = inputs, .arguments = arguments}, limits));
  if (pruned.empty()) return {};
  const Config untuned = out.space.config_at(out.default_index);
  VYRE_TRY(out.space, space::Space::build(widened.space));
  out.default_index = out.space.find(untuned).value_or(0);
  for (const fuse::Pruned& one : pruned) out.warnings.push_back(one.why);
  return {};
}

}  // namespace

Expected<Problem> problem_of_chain(const ir::Sequence& sequence, const ChainOptions& options) {
  if (!options.fuse) {
    return ChainMaker(sequence, options)
        .run(fuse::plan_space(sequence.def(), {}, {}, sequence.tunables()));
  }
  VYRE_TRY(fuse::Widened widened, fuse::widen(sequence));
  VYRE_TRY(Problem out, ChainMaker(widened.sequence, options).run(widened.space));
  out.warnings = widened.limits;
  if (options.limits) VYRE_TRY_VOID(leave_out(widened, *options.limits, out));
  out.plans = std::make_shared<const fuse::Widened>(std::move(widened));
  return out;
}

}  // namespace vyre
