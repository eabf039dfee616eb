#include <set>
#include <string_view>
#include <utility>

#include "ir/sequence_of.h"
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

}  // namespace

struct Sequence::Content {
  SequenceDef def;
  Fingerprint fingerprint;
  std::vector<Symbol> tunables;
};

Expected<Sequence> Sequence::make(SequenceDef def) {
  auto errors = validate(def);
  if (!errors.empty()) return std::unexpected(std::move(errors.front()));
  auto tunables = collect_tunables(def);
  const Fingerprint print = ir::fingerprint(def);
  return Sequence(
      std::make_shared<const Content>(Content{std::move(def), print, std::move(tunables)}));
}

// What is wrong with the program comes first in the list, so the error is told in terms of what the
// caller wrote.
Expected<Sequence> Sequence::make(Program program) { return make(sequence_of(std::move(program))); }

const SequenceDef& Sequence::def() const { return content_->def; }
const Fingerprint& Sequence::fingerprint() const { return content_->fingerprint; }
const std::vector<Symbol>& Sequence::tunables() const { return content_->tunables; }

}  // namespace vyre::ir
