#include "backend/plan.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "ir/source.h"
#include "ir/tunable_value.h"

namespace vyre::backend {
namespace {

using ir::kNone;
using ir::SequenceDef;
using ir::Symbol;
using ir::SymbolKind;
using Known = std::vector<std::optional<std::uint64_t>>;

std::vector<std::string> names_of(std::span<const Symbol> symbols) {
  std::vector<std::string> names;
  for (const Symbol& s : symbols) names.push_back(s.name);
  return names;
}

class Planner {
 public:
  Planner(const ir::Sequence& sequence, const Slots& slots, const CallOptions& options,
          const DeviceLimits& limits)
      : sequence_(sequence),
        def_(sequence.def()),
        slots_(slots),
        options_(options),
        limits_(limits) {}

  Expected<Plan> run() {
    VYRE_TRY_VOID(check_names());
    symbols_.resize(def_.symbols.size());
    VYRE_TRY_VOID(tunables(def_.symbols, symbols_));
    VYRE_TRY_VOID(arguments());
    VYRE_TRY_VOID(given_sizes());
    VYRE_TRY_VOID(buffer_lengths());
    for (std::uint32_t k = 0; k < def_.steps.size(); ++k) VYRE_TRY_VOID(plan_step(k));
    if (plan_.steps.empty()) {
      return bad_inputs("{}: no step is on; choose tunables with which one is", quote(def_.name));
    }
    find_memory();
    for (const auto& bits : symbols_) plan_.symbols.push_back(bits.value_or(0));
    return std::move(plan_);
  }

 private:
  Expected<void> check_names() const {
    const auto tunable_names = names_of(sequence_.tunables());
    if (options_.config != nullptr) {
      for (const auto& [name, value] : options_.config->entries()) {
        if (std::ranges::find(tunable_names, name) != tunable_names.end()) continue;
        return bad_inputs("{}: there is no tunable {}{}", quote(def_.name), quote(name),
                          did_you_mean(name, tunable_names));
      }
    }
    return {};
  }

  Expected<void> tunables(std::span<const Symbol> symbols, Known& known) const {
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      const Symbol& s = symbols[k];
      if (s.kind != SymbolKind::tunable) continue;
      const Value* value = options_.config == nullptr ? nullptr : options_.config->find(s.name);
      known[k] = value == nullptr ? s.default_bits : ir::bits_of(*value, s.type);
      if (known[k]) continue;
      return bad_inputs("{}: tunable {} cannot be {}; it is a {}", quote(def_.name), quote(s.name),
                        to_string(*value), ir::name_of(s.type));
    }
    return {};
  }

  Expected<void> arguments() {
    for (std::size_t k = 0; k < def_.symbols.size(); ++k) {
      const Symbol& s = def_.symbols[k];
      if (s.kind == SymbolKind::tunable) continue;
      symbols_[k] = slots_.symbols[k];
      if (symbols_[k] || s.kind != SymbolKind::scalar) continue;
      return bad_inputs("{}: scalar {} is not given; add it to the call's arguments",
                        quote(def_.name), quote(s.name));
    }
    return {};
  }

  static const char* role_of(const ir::Buffer& b) {
    return ir::takes_input(b.access) ? "input" : "output";
  }

  // A shape that is the whole length of a buffer has that buffer's element count.
  Expected<void> given_sizes() {
    for (std::size_t k = 0; k < def_.buffers.size(); ++k) {
      const ir::Buffer& b = def_.buffers[k];
      const std::uint64_t bytes = slots_.buffers[k].bytes;
      if (bytes == 0) continue;
      const std::uint32_t size = ir::element_bytes(b);
      if (bytes % size != 0) {
        return bad_inputs("{}: {} {} has {} bytes, not a multiple of the {} of a {}",
                          quote(def_.name), role_of(b), quote(b.name), bytes, size,
                          ir::element_name(b));
      }
      const ir::Expr& length = def_.exprs[b.length];
      if (length.op == ir::Op::symbol && !symbols_[length.index]) {
        symbols_[length.index] = bytes / size;
      }
    }
    return {};
  }

  Expected<void> buffer_lengths() {
    for (std::size_t k = 0; k < def_.buffers.size(); ++k) {
      const ir::Buffer& b = def_.buffers[k];
      const auto length = ir::fold(def_, b.length, symbols_);
      if (!length) return missing_shape(b);
      VYRE_TRY_VOID(check_length(b, *length));
      const std::uint64_t bytes = slots_.buffers[k].bytes;
      if (bytes > 0 && bytes != *length * ir::element_bytes(b)) {
        return bad_inputs("{}: {} {} has {} bytes, wanted are {} elements of {}: {} bytes",
                          quote(def_.name), role_of(b), quote(b.name), bytes, *length,
                          ir::element_name(b), *length * ir::element_bytes(b));
      }
      plan_.lengths.push_back(*length);
    }
    return {};
  }

  Expected<void> check_length(const ir::Buffer& b, std::uint64_t length) const {
    if (length == 0) {
      return bad_inputs("{}: buffer {} has no elements; give sizes above zero", quote(def_.name),
                        quote(b.name));
    }
    if (length * ir::element_bytes(b) > limits_.buffer_bytes) {
      return bad_inputs("{}: buffer {} of {} elements is more than the device's {} bytes",
                        quote(def_.name), quote(b.name), length, limits_.buffer_bytes);
    }
    return {};
  }

  Expected<void> missing_shape(const ir::Buffer& b) const {
    for (std::size_t k = 0; k < symbols_.size(); ++k) {
      if (symbols_[k]) continue;
      return bad_inputs(
          "{}: shape {} of buffer {} follows from no input; add it to the call's "
          "arguments",
          quote(def_.name), quote(def_.symbols[k].name), quote(b.name));
    }
    return bad_inputs("{}: the length of buffer {} cannot be computed", quote(def_.name),
                      quote(b.name));
  }

  // A condition uses tunables only, and those are known.
  bool is_on(const ir::Step& step) const {
    return step.when == kNone || ir::fold(def_, step.when, symbols_).value_or(0) != 0;
  }

  Expected<void> plan_step(std::uint32_t index) {
    const ir::Step& step = def_.steps[index];
    const ir::Program& program = def_.programs[step.program];
    StepPlan out{.step = index, .program = step.program, .specialisation = {}, .symbols = {}};
    Known known(program.symbols.size());
    VYRE_TRY_VOID(tunables(program.symbols, known));
    VYRE_TRY_VOID(step_symbols(step, program, known));
    VYRE_TRY_VOID(check_step_lengths(step, program, known));
    if (!is_on(step)) return {};
    for (const auto& bits : known) out.symbols.push_back(*bits);
    out.specialisation.symbols = out.symbols;
    VYRE_TRY(out.specialisation.workgroup, workgroup(program, known));
    VYRE_TRY_VOID(check_local(program, known));
    VYRE_TRY(out.groups, groups(step, program, known, out.specialisation.workgroup));
    plan_.steps.push_back(std::move(out));
    return {};
  }

  void find_memory() {
    for (const ir::Buffer& b : def_.buffers) plan_.has_memory.push_back(ir::is_bound(b.access));
    if (def_.repeat) plan_.has_memory[def_.repeat->until] = true;
    for (const StepPlan& planned : plan_.steps) {
      for (const std::uint32_t buffer : def_.steps[planned.step].buffers) {
        plan_.has_memory[buffer] = true;
      }
    }
  }

  Expected<void> step_symbols(const ir::Step& step, const ir::Program& program,
                              Known& known) const {
    std::size_t next = 0;
    for (std::size_t k = 0; k < program.symbols.size(); ++k) {
      if (program.symbols[k].kind == SymbolKind::tunable) continue;
      const ir::ExprId given = step.symbols[next++];
      if (given != kNone) known[k] = ir::fold(def_, given, symbols_);
    }
    std::size_t bound = 0;
    for (const ir::Buffer& b : program.buffers) {
      if (!ir::is_bound(b.access)) continue;
      const std::uint64_t length = plan_.lengths[step.buffers[bound++]];
      const ir::Expr& e = program.exprs[b.length];
      if (e.op == ir::Op::symbol && !known[e.index]) known[e.index] = length;
    }
    for (std::size_t k = 0; k < known.size(); ++k) {
      if (known[k]) continue;
      return bad_inputs("{}: \"{}\" needs {} {}; add it to the call's arguments", quote(def_.name),
                        program.name, ir::name_of(program.symbols[k].kind),
                        quote(program.symbols[k].name));
    }
    return {};
  }

  Expected<void> check_step_lengths(const ir::Step& step, const ir::Program& program,
                                    const Known& known) const {
    std::size_t bound = 0;
    for (const ir::Buffer& b : program.buffers) {
      if (!ir::is_bound(b.access)) continue;
      const std::uint64_t have = plan_.lengths[step.buffers[bound++]];
      const auto wanted = ir::fold(program, b.length, known);
      if (wanted && *wanted == have) {
        // Emitted code leaves out checks that hold for the length as it is written.
        if (ir::folds_exactly(program, b.length, known)) continue;
        return bad_inputs(
            "{}: the length of buffer {} of \"{}\" does not fit in its type on the way to {}; give "
            "smaller sizes",
            quote(def_.name), quote(b.name), program.name, have);
      }
      return bad_inputs("{}: buffer {} of \"{}\" has {} elements, {} are bound to it",
                        quote(def_.name), quote(b.name), program.name, wanted.value_or(0), have);
    }
    return {};
  }

  Expected<Extent> workgroup(const ir::Program& program, const Known& known) const {
    const std::array<ir::ExprId, 3> undeclared{kNone, kNone, kNone};
    const bool replaced = options_.workgroup && !options_.grid && program.grid == undeclared;
    if (!replaced && program.workgroup == undeclared) return default_workgroup_size(limits_);
    Extent size{1, 1, 1};
    std::uint64_t items = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!replaced && program.workgroup[axis] == kNone) continue;
      const std::uint64_t value =
          replaced ? (*options_.workgroup)[axis]
                   : ir::fold(program, program.workgroup[axis], known).value_or(0);
      if (value == 0 || value > limits_.workgroup_size[axis]) return refused(program, axis, value);
      size[axis] = static_cast<std::uint32_t>(value);
      items *= value;
    }
    if (items <= limits_.workgroup_items) return size;
    return rejected(
        "\"{}\": a workgroup of {} x {} x {} is more than the device's {} invocations; "
        "use a smaller one",
        program.name, size[0], size[1], size[2], limits_.workgroup_items);
  }

  std::unexpected<Error> refused(const ir::Program& program, std::size_t axis,
                                 std::uint64_t value) const {
    return rejected("\"{}\": a workgroup of {} on axis {}; the device takes 1 to {}", program.name,
                    value, axis, limits_.workgroup_size[axis]);
  }

  Expected<void> check_local(const ir::Program& program, const Known& known) const {
    std::uint64_t bytes = 0;
    for (const ir::Buffer& b : program.buffers) {
      if (b.access != ir::Access::local) continue;
      bytes += ir::fold(program, b.length, known).value_or(0) * ir::element_bytes(b);
    }
    if (bytes <= limits_.local_bytes) return {};
    return rejected("\"{}\" needs {} bytes of local memory, the device has {}; use smaller tiles",
                    program.name, bytes, limits_.local_bytes);
  }

  Expected<Extent> groups(const ir::Step& step, const ir::Program& program, const Known& known,
                          const Extent& workgroup) const {
    const bool declared = program.grid != std::array<ir::ExprId, 3>{kNone, kNone, kNone};
    Extent out{1, 1, 1};
    if (options_.grid && (!declared || def_.steps.size() == 1)) {
      out = *options_.grid;
    } else if (declared) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (program.grid[axis] == kNone) continue;
        out[axis] =
            static_cast<std::uint32_t>(ir::fold(program, program.grid[axis], known).value_or(0));
      }
    } else {
      const std::uint32_t items = workgroup[0] * workgroup[1] * workgroup[2];
      out[0] = ceil_div(largest_written(step, program), items);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::uint64_t total = std::uint64_t{out[axis]} * workgroup[axis];
      if (total != 0 && total <= std::numeric_limits<std::uint32_t>::max()) continue;
      return bad_inputs(
          "\"{}\": a grid of {} workgroups of {} on axis {}; their product must be "
          "1 to 2^32 - 1",
          program.name, out[axis], workgroup[axis], axis);
    }
    return out;
  }

  std::uint32_t largest_written(const ir::Step& step, const ir::Program& program) const {
    std::uint64_t largest = 1;
    std::size_t bound = 0;
    for (const ir::Buffer& b : program.buffers) {
      if (!ir::is_bound(b.access)) continue;
      const std::uint64_t length = plan_.lengths[step.buffers[bound++]];
      if (ir::gives_output(b.access)) largest = std::max(largest, length);
    }
    return static_cast<std::uint32_t>(largest);
  }

  const ir::Sequence& sequence_;
  const SequenceDef& def_;
  const Slots& slots_;
  const CallOptions& options_;
  const DeviceLimits& limits_;
  Known symbols_;
  Plan plan_;
};

}  // namespace

Expected<Plan> make_plan(const ir::Sequence& sequence, const Slots& slots,
                         const CallOptions& options, const DeviceLimits& limits) {
  return Planner(sequence, slots, options, limits).run();
}

Expected<Plan> make_plan(const ir::Sequence& sequence, const Call& call,
                         const DeviceLimits& limits) {
  Slots slots(sequence);
  VYRE_TRY_VOID(place(sequence, call, nullptr, slots));
  return make_plan(sequence, slots, options_of(call), limits);
}

std::vector<std::uint64_t> shape_of(const ir::Sequence& sequence, const Plan& plan) {
  const SequenceDef& def = sequence.def();
  std::vector<std::uint64_t> out;
  for (std::size_t k = 0; k < def.buffers.size(); ++k) {
    if (ir::is_bound(def.buffers[k].access)) out.push_back(plan.lengths[k]);
  }
  for (std::size_t k = 0; k < def.symbols.size(); ++k) {
    if (def.symbols[k].kind == SymbolKind::shape) out.push_back(plan.symbols[k]);
  }
  return out;
}

std::uint64_t buffer_bytes(const ir::Sequence& sequence, const Plan& plan) {
  std::uint64_t out = 0;
  for (std::size_t k = 0; k < plan.lengths.size(); ++k) {
    if (!plan.has_memory[k]) continue;
    const std::uint64_t element = ir::element_bytes(sequence.def().buffers[k]);
    out = saturating_sum(out, saturating_product(plan.lengths[k], element));
  }
  return out;
}

Extent default_workgroup_size(const DeviceLimits& limits) {
  std::uint32_t size = 64;
  while (size > 1 && size > std::min(limits.workgroup_items, limits.workgroup_size[0])) size /= 2;
  return {size, 1, 1};
}

}  // namespace vyre::backend
