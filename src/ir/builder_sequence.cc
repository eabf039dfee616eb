// SequenceBuilder: declarations as in a program, then runs.

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ir/builder_recorder.h"
#include "vyre/builder.h"

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

void write_sizes(const Draft& draft, SequenceDef& def) {
  def.symbols = draft.symbols;
  def.buffers = draft.buffers;
  for (Buffer& buffer : def.buffers) buffer.length = emit_size(draft, buffer.length, def.exprs);
  for (Step& step : def.steps) {
    for (ExprId& value : step.symbols) value = emit_size(draft, value, def.exprs);
  }
}

}  // namespace

Array SequenceBuilder::scratch(Scalar element, std::string_view name, const Operand& length) {
  return recorder_->add_buffer(name, element, Access::private_, length);
}

void SequenceBuilder::run(const Expected<Program>& program, std::initializer_list<Array> buffers,
                          std::initializer_list<Operand> symbols, Location at) {
  if (!program) recorder_->fail(program.error());
  if (!recorder_->ok()) return;
  if (buffers.size() != bound_buffers(*program)) {
    recorder_->fail(at, fmt::format("program {} has {} buffers to bind, not {}",
                                    quote(program->name), bound_buffers(*program), buffers.size()));
  }
  Step step;
  for (const Array& buffer : buffers) step.buffers.push_back(recorder_->buffer_of(buffer, at));
  if (recorder_->ok()) step.symbols = bind_symbols(*recorder_, *program, symbols, at);
  if (!recorder_->ok()) return;
  step.program = add_program(def_->programs, *program);
  def_->steps.push_back(std::move(step));
}

void SequenceBuilder::repeat_until(const Array& flag, std::uint32_t limit, const Body& body,
                                   Location at) {
  if (def_->repeat) recorder_->fail(at, "a sequence has one repeat_until; build another sequence");
  const std::uint32_t buffer = recorder_->buffer_of(flag, at);
  if (!recorder_->ok()) return;
  def_->repeat = Repeat{.until = buffer, .limit = limit};
  const auto first = static_cast<std::uint32_t>(def_->steps.size());
  if (body) body();
  def_->repeat->first = first;
  def_->repeat->last = static_cast<std::uint32_t>(def_->steps.size());
}

Expected<Sequence> build_sequence(std::string_view name,
                                  const std::function<void(SequenceBuilder&)>& body) {
  const auto recorder = std::make_shared<Recorder>(name, "sequence");
  SequenceDef def;
  def.name = name;
  SequenceBuilder builder(recorder, &def);
  if (body) body(builder);
  recorder->close();
  if (recorder->error()) return std::unexpected(*recorder->error());
  write_sizes(recorder->draft(), def);
  return Sequence::make(std::move(def));
}

}  // namespace vyre::ir
