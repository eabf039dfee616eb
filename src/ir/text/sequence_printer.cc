#include "ir/text/sequence_printer.h"

#include <fmt/format.h>

#include "ir/rewrite/sequence_of.h"
#include "ir/structure.h"
#include "ir/text/declaration_printer.h"
#include "ir/text/program_printer.h"

namespace vyre::ir {
namespace {

std::string buffer_at(const SequenceDef& sequence, std::uint32_t index) {
  return index < sequence.buffers.size() ? print_name(sequence.buffers[index].name) : "?";
}

// The names of the shapes and scalars of the program that a step runs, as `Step::symbols` has them.
std::vector<std::string> argument_names(const SequenceDef& sequence, const Step& step) {
  std::vector<std::string> names;
  if (step.program >= sequence.programs.size()) return names;
  for (const Symbol& symbol : sequence.programs[step.program].symbols) {
    if (symbol.kind != SymbolKind::tunable) names.push_back(print_name(symbol.name));
  }
  return names;
}

// `run scale(x, t; n = m) when is_split`
void print_step(const SequenceDef& sequence, const Step& step, std::string& out) {
  const bool known = step.program < sequence.programs.size();
  out += fmt::format("  run {}(", known ? print_name(sequence.programs[step.program].name) : "?");
  for (std::size_t i = 0; i < step.buffers.size(); ++i) {
    if (i > 0) out += ", ";
    out += buffer_at(sequence, step.buffers[i]);
  }
  const std::vector<std::string> names = argument_names(sequence, step);
  ExprPrinter exprs(tables_of(sequence), out);
  const char* separator = "; ";
  for (std::size_t i = 0; i < step.symbols.size(); ++i) {
    if (step.symbols[i] == kNone) continue;
    out += separator;
    separator = ", ";
    out += i < names.size() ? names[i] : "?";
    out += " = ";
    exprs.print(step.symbols[i]);
  }
  out += ")";
  if (step.when != kNone) {
    out += " when ";
    exprs.print(step.when);
  }
  out += '\n';
}

std::optional<std::string> why_not_printable(const SequenceDef& sequence) {
  if (auto problem = tree_problem(sequence)) return problem;
  if (expr_depth(sequence.exprs) > Limits::kExprDepth) {
    return fmt::format("expressions nest deeper than {} levels", Limits::kExprDepth);
  }
  return std::nullopt;
}

bool is_one_program(const SequenceDef& sequence) {
  return sequence.programs.size() == 1 && sequence == sequence_of(sequence.programs[0]);
}

}  // namespace

std::string print_sequence(const SequenceDef& sequence) {
  std::string out;
  for (const Program& program : sequence.programs) {
    if (!out.empty()) out += '\n';
    out += print_program(program);
  }
  if (is_one_program(sequence)) return out;
  if (!out.empty()) out += '\n';
  out += fmt::format("sequence {} {{\n", print_name(sequence.name));
  if (const auto problem = why_not_printable(sequence)) {
    return out + fmt::format("  // not printable: {}\n}}\n", *problem);
  }
  const std::size_t before = out.size();
  print_symbols(sequence.symbols, out);
  print_buffers(tables_of(sequence), "scratch", out);
  if (out.size() > before && !sequence.steps.empty()) out += '\n';
  for (const Step& step : sequence.steps) print_step(sequence, step, out);
  if (const auto& repeat = sequence.repeat) {
    out += fmt::format("  repeat {} .. {} until {} limit {}\n", repeat->first, repeat->last,
                       buffer_at(sequence, repeat->until), repeat->limit);
  }
  return out + "}\n";
}

}  // namespace vyre::ir
