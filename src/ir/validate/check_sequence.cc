#include "ir/validate/check_sequence.h"

#include <map>
#include <set>

#include "base/text.h"
#include "ir/ops.h"
#include "ir/source.h"
#include "ir/validate/check_declarations.h"
#include "ir/validate/check_program.h"
#include "ir/validate/check_sizes.h"
#include "ir/validate/check_structure.h"
#include "ir/validate/check_types.h"

namespace vyre::ir {
namespace {

// The sequence's own declarations as a program without a body, for the passes that both share.
Program declarations_of(const SequenceDef& sequence) {
  Program out;
  out.name = sequence.name;
  out.symbols = sequence.symbols;
  out.buffers = sequence.buffers;
  out.exprs = sequence.exprs;
  return out;
}

std::vector<Root> step_values(const SequenceDef& sequence) {
  std::vector<Root> out;
  for (std::uint32_t i = 0; i < sequence.steps.size(); ++i) {
    for (const ExprId value : sequence.steps[i].symbols) {
      if (value != kNone) out.push_back({value, {Part::step, i}});
    }
    const ExprId when = sequence.steps[i].when;
    if (when != kNone) out.push_back({when, {Part::step, i}});
  }
  return out;
}

class Steps {
 public:
  Steps(Inspection& inspection, const SequenceDef& sequence)
      : inspection_(inspection), sequence_(sequence) {}

  void check() {
    if (sequence_.steps.empty()) inspection_.report({}, "V090", "it has no steps; add one");
    for (std::uint32_t i = 0; i < sequence_.steps.size() && !inspection_.full(); ++i) {
      place_ = {Part::step, i};
      check(sequence_.steps[i]);
    }
    if (sequence_.repeat) repeat(*sequence_.repeat);
  }

 private:
  void check(const Step& step) {
    if (step.program >= sequence_.programs.size()) {
      return inspection_.report(place_, "V090", "there is no program {}; use one below {}",
                                step.program, sequence_.programs.size());
    }
    const Program& program = sequence_.programs[step.program];
    buffers(step, program);
    symbols(step, program);
    if (step.when != kNone) when(step.when);
  }

  void when(ExprId condition) {
    check_size(inspection_, {condition, place_}, SizeUse::fixed);
    const Type type = sequence_.exprs[condition].type;
    if (inspection_.wrong[condition] || type == kBool || type == kU32) return;
    inspection_.report(place_, "V104", "the condition {} is {}; it must be bool or u32",
                       inspection_.show(condition), to_string(type));
  }

  void buffers(const Step& step, const Program& program) {
    std::vector<const Buffer*> bound;
    for (const Buffer& buffer : program.buffers) {
      if (is_bound(buffer.access)) bound.push_back(&buffer);
    }
    if (bound.size() != step.buffers.size()) {
      return inspection_.report(place_, "V091",
                                "buffers of {}: {}, bound here: {}; bind one to each",
                                quote(program.name), bound.size(), step.buffers.size());
    }
    std::vector<const Buffer*> bound_to(sequence_.buffers.size(), nullptr);
    for (std::size_t i = 0; i < bound.size(); ++i) {
      if (step.buffers[i] >= sequence_.buffers.size()) {
        inspection_.report(place_, "V092", "there is no buffer {} to bind to {}; use one below {}",
                           step.buffers[i], quote(bound[i]->name), sequence_.buffers.size());
        continue;
      }
      binding(*bound[i], sequence_.buffers[step.buffers[i]]);
      alias(*bound[i], bound_to[step.buffers[i]]);
    }
  }

  void binding(const Buffer& inner, const Buffer& outer) {
    if (inner.element != outer.element || inner.opaque_bytes != outer.opaque_bytes) {
      inspection_.report(
          place_, "V093", "{} holds {}, but is bound to {}, which holds {}; bind another",
          quote(inner.name), element_name(inner), quote(outer.name), element_name(outer));
    }
    if (gives_output(inner.access) && outer.access == Access::read) {
      inspection_.report(place_, "V094",
                         "{} is written, but is bound to the read buffer {}; declare "
                         "that read_write or write",
                         quote(inner.name), quote(outer.name));
    }
  }

  // `earlier` is the buffer of the program that this buffer of the sequence was bound to before, in
  // the same step.
  void alias(const Buffer& inner, const Buffer*& earlier) {
    if (earlier != nullptr && (gives_output(inner.access) || gives_output(earlier->access))) {
      inspection_.report(place_, "V095",
                         "{} and {} are bound to one buffer, and one of them is written; "
                         "bind two",
                         quote(earlier->name), quote(inner.name));
    }
    if (earlier == nullptr || gives_output(inner.access)) earlier = &inner;
  }

  void symbols(const Step& step, const Program& program) {
    std::vector<const Symbol*> taken;
    for (const Symbol& symbol : program.symbols) {
      if (symbol.kind != SymbolKind::tunable) taken.push_back(&symbol);
    }
    if (taken.size() != step.symbols.size()) {
      return inspection_.report(place_, "V096",
                                "shapes and scalars of {}: {}, values given: {}; give one for each",
                                quote(program.name), taken.size(), step.symbols.size());
    }
    for (std::size_t i = 0; i < taken.size(); ++i) value(*taken[i], step.symbols[i]);
  }

  void value(const Symbol& symbol, ExprId value) {
    if (value == kNone) {
      if (symbol.kind == SymbolKind::shape) return;
      return inspection_.report(place_, "V097",
                                "scalar {} has no value; only a shape can be left open",
                                quote(symbol.name));
    }
    check_size(inspection_, {value, place_}, SizeUse::grid);
    const Type type = sequence_.exprs[value].type;
    if (inspection_.wrong[value] || type == Type{symbol.type, 1}) return;
    inspection_.report(place_, "V098", "{} is {}, but gets {}; cast the value", quote(symbol.name),
                       name_of(symbol.type), to_string(type));
  }

  void repeat(const Repeat& repeat) {
    const Place place{Part::repeat, 0};
    if (repeat.first >= repeat.last || repeat.last > sequence_.steps.size()) {
      inspection_.report(place, "V100",
                         "{} .. {} is no range of steps; keep it within 0 .. {} and not empty",
                         repeat.first, repeat.last, sequence_.steps.size());
    }
    if (repeat.until >= sequence_.buffers.size()) {
      inspection_.report(place, "V101", "there is no buffer {} to wait for; use one below {}",
                         repeat.until, sequence_.buffers.size());
    } else if (const Buffer& until = sequence_.buffers[repeat.until];
               until.element != Scalar::u32) {
      inspection_.report(place, "V101", "{} holds {}; what a repeat waits for must hold u32",
                         quote(until.name), name_of(until.element));
    }
    if (repeat.limit == 0) inspection_.report(place, "V102", "the limit is 0; make it at least 1");
  }

  Inspection& inspection_;
  const SequenceDef& sequence_;
  Place place_;
};

void check_programs(Inspection& inspection, const SequenceDef& sequence) {
  std::set<std::string_view> names;
  for (const Program& program : sequence.programs) {
    if (names.insert(program.name).second) continue;
    inspection.report({}, "V013", "two programs are called {}; rename one of them",
                      quote(program.name));
  }
}

// A declaration without values leaves them to another one.
bool agree(const Symbol& a, const Symbol& b) {
  return a.type == b.type && a.default_bits == b.default_bits &&
         (a.values.empty() || b.values.empty() || a.values == b.values);
}

// Tunables of one name are one tunable, so they must agree.
void check_tunables(Inspection& inspection, const SequenceDef& sequence) {
  std::map<std::string_view, const Symbol*> known;
  std::set<std::string_view> reported;
  const auto check = [&](const std::vector<Symbol>& symbols) {
    for (const Symbol& symbol : symbols) {
      if (symbol.kind != SymbolKind::tunable) continue;
      const auto [it, is_new] = known.emplace(symbol.name, &symbol);
      const bool is_known = is_new || agree(*it->second, symbol);
      if (it->second->values.empty()) it->second = &symbol;
      if (is_known || !reported.insert(symbol.name).second) continue;
      inspection.report({}, "V099",
                        "tunable {} is declared with different types, defaults or values; let "
                        "them agree or rename one",
                        quote(symbol.name));
    }
  };
  check(sequence.symbols);
  for (const Program& program : sequence.programs) check(program.symbols);
}

void check_scratch(Inspection& inspection) {
  for (std::uint32_t i = 0; i < inspection.program.buffers.size(); ++i) {
    if (inspection.program.buffers[i].access != Access::local) continue;
    inspection.report({Part::buffer, i}, "V103",
                      "a sequence has no local buffers; make it scratch");
  }
}

std::vector<Error> check_own(const SequenceDef& sequence) {
  const Program own = declarations_of(sequence);
  const std::vector<Root> values = step_values(sequence);
  if (auto errors = check_structure(own, "sequence", values); !errors.empty()) return errors;
  Inspection inspection(own, "sequence", values);
  for (const auto pass : {check_declarations, check_types, check_sizes, check_scratch}) {
    inspection.next_pass();
    pass(inspection);
  }
  inspection.next_pass();
  check_programs(inspection, sequence);
  check_tunables(inspection, sequence);
  inspection.next_pass();
  Steps(inspection, sequence).check();
  return inspection.take();
}

// These counts are checked before anything is copied.
std::vector<Error> check_counts(const SequenceDef& sequence) {
  std::vector<Error> out;
  const auto at_most = [&](std::size_t count, std::uint32_t limit, std::string_view what) {
    if (count <= limit) return;
    out.push_back({ErrorKind::rejected, "V004",
                   fmt::format("sequence {}: it has {} {}; the limit is {}, so split it",
                               quote(sequence.name), count, what, limit)});
  };
  at_most(sequence.programs.size(), Limits::kSteps, "programs");
  at_most(sequence.steps.size(), Limits::kSteps, "steps");
  at_most(sequence.exprs.size(), Limits::kNodes, "nodes");
  return out;
}

}  // namespace

std::vector<Error> check_sequence(const SequenceDef& sequence) {
  if (auto errors = check_counts(sequence); !errors.empty()) return errors;
  std::vector<Error> out;
  for (const Program& program : sequence.programs) {
    if (out.size() >= kMaxFindings) break;
    for (Error& error : check_program(program)) out.push_back(std::move(error));
  }
  for (Error& error : check_own(sequence)) out.push_back(std::move(error));
  if (out.size() > kMaxFindings) out.resize(kMaxFindings);
  return out;
}

}  // namespace vyre::ir
