#include <set>
#include <string_view>
#include <utility>

#include "ir/sequence_of.h"
#include "ir/structure.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

std::vector<Symbol> collect_tunables(const SequenceDef& def) {
  std::vector<Symbol> tunables;
  std::set<std::string_view> seen;
  const auto collect = [&](const std::vector<Symbol>& symbols) {
    for (const Symbol& symbol : symbols) {
      if (symbol.kind != SymbolKind::tunable || !seen.insert(symbol.name).second) continue;
      tunables.push_back(symbol);
    }
  };
  collect(def.symbols);
  for (const Program& program : def.programs) collect(program.symbols);
  return tunables;
}

void mark_symbols(std::span<const Expr> exprs, ExprId root, std::vector<bool>& marked) {
  if (root == kNone) return;
  if (exprs[root].op == Op::symbol) marked[exprs[root].index] = true;
  for (const ExprId operand : operands(exprs[root])) mark_symbols(exprs, operand, marked);
}

std::vector<bool> deciding_symbols(const Program& program) {
  std::vector<bool> out(program.symbols.size(), false);
  for (const Buffer& buffer : program.buffers) mark_symbols(program.exprs, buffer.length, out);
  for (const ExprId size : program.grid) mark_symbols(program.exprs, size, out);
  return out;
}

// A scalar that steps pass on as it is decides what it decides in their programs. Everything else
// that occurs in an expression of the sequence counts as deciding.
std::vector<bool> deciding_symbols(const SequenceDef& def) {
  std::vector<bool> out(def.symbols.size(), false);
  for (const Buffer& buffer : def.buffers) mark_symbols(def.exprs, buffer.length, out);
  for (const Step& step : def.steps) {
    const Program& program = def.programs[step.program];
    const std::vector<bool> deciding = deciding_symbols(program);
    std::size_t next = 0;
    for (std::size_t k = 0; k < program.symbols.size(); ++k) {
      if (program.symbols[k].kind == SymbolKind::tunable) continue;
      const ExprId given = step.symbols[next++];
      const bool is_plain = given != kNone && def.exprs[given].op == Op::symbol && !deciding[k] &&
                            program.symbols[k].kind == SymbolKind::scalar;
      if (!is_plain) mark_symbols(def.exprs, given, out);
    }
  }
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (def.symbols[k].kind != SymbolKind::scalar) out[k] = true;
  }
  return out;
}

}  // namespace

struct Sequence::Content {
  SequenceDef def;
  Fingerprint fingerprint;
  std::vector<Symbol> tunables;
  std::vector<bool> decides_sizes;  // by symbol
};

Expected<Sequence> Sequence::make(SequenceDef def) {
  auto errors = validate(def);
  if (!errors.empty()) return std::unexpected(std::move(errors.front()));
  auto tunables = collect_tunables(def);
  auto deciding = deciding_symbols(def);
  const Fingerprint print = ir::fingerprint(def);
  return Sequence(std::make_shared<const Content>(
      Content{std::move(def), print, std::move(tunables), std::move(deciding)}));
}

// What is wrong with the program comes first in the list, so the error is told in terms of what the
// caller wrote.
Expected<Sequence> Sequence::make(Program program) { return make(sequence_of(std::move(program))); }

const SequenceDef& Sequence::def() const { return content_->def; }
const Fingerprint& Sequence::fingerprint() const { return content_->fingerprint; }
const std::vector<Symbol>& Sequence::tunables() const { return content_->tunables; }
bool Sequence::decides_sizes(std::size_t symbol) const { return content_->decides_sizes[symbol]; }

}  // namespace vyre::ir
