#include "ir/text/program_printer.h"

#include <fmt/format.h>

#include "ir/source.h"
#include "ir/structure.h"
#include "ir/text/declaration_printer.h"
#include "ir/text/spelling.h"
#include "ir/text/stmt_printer.h"

namespace vyre::ir {
namespace {

// `workgroup [256u, _, 4u]`: axes left open are `_`, or nothing at the end.
void print_axes(const Program& program, std::string_view word, const std::array<ExprId, 3>& axes,
                std::string& out) {
  std::size_t count = 3;
  while (count > 0 && axes[count - 1] == kNone) --count;
  if (count == 0) return;
  ExprPrinter exprs(tables_of(program), out);
  out += fmt::format("  {} [", word);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += ", ";
    axes[i] == kNone ? void(out += '_') : exprs.print(axes[i]);
  }
  out += "]\n";
}

std::optional<std::string> why_not_printable(const Program& program) {
  if (auto problem = tree_problem(program)) return problem;
  if (expr_depth(program.exprs) > Limits::kExprDepth) {
    return fmt::format("expressions nest deeper than {} levels", Limits::kExprDepth);
  }
  if (stmt_depth(program.stmts) > Limits::kStmtDepth) {
    return fmt::format("statements nest deeper than {} levels", Limits::kStmtDepth);
  }
  return std::nullopt;
}

// One string per line of the text, the newlines between them left out.
void print_source(const Source& source, std::string& out) {
  out += fmt::format("  source {} {}(", name_of(source.language), print_string(source.entry));
  for (std::size_t i = 0; i < source.arguments.size(); ++i) {
    out += i > 0 ? ", " : "";
    const Source::Argument& argument = source.arguments[i];
    out += print_name(argument.name);
    if (argument.bytes > 0) out += fmt::format(": {}", argument.bytes);
    if (!argument.symbol.empty()) out += " = " + print_string(argument.symbol);
  }
  out += ')';
  if (!source.options.empty()) out += " options " + print_string(source.options);
  if (!source.file.empty()) out += " file " + print_string(source.file);
  std::string_view rest = source.text;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = rest.find('\n');
    out += "\n    " + print_string(rest.substr(0, end));
    if (end != std::string_view::npos) rest.remove_prefix(end + 1);
  }
  out += '\n';
}

}  // namespace

std::string print_program(const Program& program) {
  std::string out = fmt::format("program {} {{\n", print_name(program.name));
  if (const auto problem = why_not_printable(program)) {
    return out + fmt::format("  // not printable: {}\n}}\n", *problem);
  }
  const std::size_t before = out.size();
  print_symbols(program.symbols, out);
  print_buffers(tables_of(program), "private", out);
  print_axes(program, "workgroup", program.workgroup, out);
  print_axes(program, "grid", program.grid, out);
  if (out.size() > before && !program.body.empty()) out += '\n';
  if (program.source) print_source(*program.source, out);
  StmtPrinter(program, out).block(program.body, 2);
  return out + "}\n";
}

}  // namespace vyre::ir
