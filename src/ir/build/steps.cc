#include "ir/build/steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace vyre::ir {
namespace {

// Equal programs are held once.
std::uint32_t add_program(std::vector<Program>& programs, const Program& program) {
  const auto found = std::ranges::find(programs, program);
  const auto index = static_cast<std::uint32_t>(found - programs.begin());
  if (found == programs.end()) programs.push_back(program);
  return index;
}

// The values of the program's shapes and scalars as nodes of the recorder.
std::vector<std::uint32_t> bind_symbols(Recorder& recorder, const Program& program,
                                        std::initializer_list<Operand> values, const Location& at) {
  std::vector<const Symbol*> symbols;
  for (const Symbol& symbol : program.symbols) {
    if (symbol.kind != SymbolKind::tunable) symbols.push_back(&symbol);
  }
  std::vector<std::uint32_t> nodes(symbols.size(), kNone);
  if (values.size() == 0) return nodes;
  if (values.size() != symbols.size()) {
    recorder.fail(at, fmt::format("program {} has {} shapes and scalars, not {}; give all or none",
                                  quote(program.name), symbols.size(), values.size()));
    return nodes;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string what =
        fmt::format("{} of program {}", quote(symbols[i]->name), quote(program.name));
    nodes[i] = recorder.argument(values.begin()[i], {symbols[i]->type, 1}, what);
  }
  return nodes;
}

std::size_t bound_buffers(const Program& program) {
  return static_cast<std::size_t>(std::ranges::count_if(
      program.buffers, [](const Buffer& buffer) { return is_bound(buffer.access); }));
}

}  // namespace

void add_step(Recorder& recorder, SequenceDef& def, const Program& program,
              std::initializer_list<Array> buffers, std::initializer_list<Operand> symbols,
              NodeId when, const Location& at) {
  if (!recorder.ok()) return;
  if (buffers.size() != bound_buffers(program)) {
    recorder.fail(at, fmt::format("program {} has {} buffers to bind, not {}", quote(program.name),
                                  bound_buffers(program), buffers.size()));
  }
  Step step;
  for (const Array& buffer : buffers) step.buffers.push_back(recorder.buffer_of(buffer, at));
  if (recorder.ok()) step.symbols = bind_symbols(recorder, program, symbols, at);
  if (!recorder.ok()) return;
  step.program = add_program(def.programs, program);
  step.when = when;
  def.steps.push_back(std::move(step));
}

void write_sizes(const Draft& draft, SequenceDef& def) {
  def.symbols = draft.symbols;
  def.buffers = draft.buffers;
  for (Buffer& buffer : def.buffers) buffer.length = emit_size(draft, buffer.length, def.exprs);
  for (Step& step : def.steps) {
    for (ExprId& value : step.symbols) value = emit_size(draft, value, def.exprs);
    step.when = emit_size(draft, step.when, def.exprs);
  }
}

}  // namespace vyre::ir
