// Sequence, and the functions of vyre/program.h: each calls the folder that does the work.

#include "vyre/program.h"

#include <map>
#include <string_view>
#include <utility>

#include "base/blake3.h"
#include "base/hex.h"
#include "ir/rewrite/encode.h"
#include "ir/rewrite/equal.h"
#include "ir/rewrite/sequence_of.h"
#include "ir/structure.h"
#include "ir/text/program_parser.h"
#include "ir/text/program_printer.h"
#include "ir/text/sequence_parser.h"
#include "ir/text/sequence_printer.h"
#include "ir/text/stmt_printer.h"
#include "ir/validate/check_program.h"
#include "ir/validate/check_sequence.h"

namespace vyre::ir {
namespace {

constexpr std::size_t kShort = 60;
constexpr Bounds kMessage{kShort, 12};

// Cut to about 60 bytes, between characters.
std::string shortened(std::string text) {
  if (text.size() <= kShort) return text;
  std::size_t end = kShort - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  text.resize(end);
  return text + "...";
}

std::vector<Symbol> collect_tunables(const SequenceDef& def) {
  std::vector<Symbol> tunables;
  std::map<std::string_view, std::size_t> seen;
  const auto collect = [&](const std::vector<Symbol>& symbols) {
    for (const Symbol& symbol : symbols) {
      if (symbol.kind != SymbolKind::tunable) continue;
      const auto [it, is_new] = seen.emplace(symbol.name, tunables.size());
      if (is_new) tunables.push_back(symbol);
      // One of several declarations may have the values.
      if (Symbol& known = tunables[it->second]; known.values.empty()) known.values = symbol.values;
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

Expected<void> check_length(std::string_view text) {
  if (text.size() <= Limits::kTextBytes) return {};
  return bad_inputs("the text of a program has {} bytes, more than the {} allowed", text.size(),
                    Limits::kTextBytes);
}

Expected<void> expect_end(const TokenStream& tokens) {
  if (tokens.peek().kind == TokenKind::end) return {};
  return tokens.expected("the end of the text");
}

// Whether the sequence adds nothing to its one program. Such a sequence has the program's
// fingerprint, so that decisions for the program hold for the sequence too.
bool is_plain_wrapper(const SequenceDef& sequence, const ByteWriter& encoded) {
  if (sequence.programs.size() != 1 || sequence.steps.size() != 1) return false;
  return encode(sequence_of(sequence.programs[0])).bytes() == encoded.bytes();
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

// A mistake of the program comes before the mistakes of the sequence around it, so the error speaks
// of the caller's own text.
Expected<Sequence> Sequence::make(Program program) { return make(sequence_of(std::move(program))); }

const SequenceDef& Sequence::def() const { return content_->def; }
const Fingerprint& Sequence::fingerprint() const { return content_->fingerprint; }
const std::vector<Symbol>& Sequence::tunables() const { return content_->tunables; }
bool Sequence::decides_sizes(std::size_t symbol) const { return content_->decides_sizes[symbol]; }

bool operator==(const Program& a, const Program& b) { return equal(a, b); }
bool operator==(const SequenceDef& a, const SequenceDef& b) { return equal(a, b); }

std::vector<Error> validate(const Program& program) { return check_program(program); }
std::vector<Error> validate(const SequenceDef& sequence) { return check_sequence(sequence); }

std::string print(const Program& program) { return print_program(program); }
std::string print(const SequenceDef& sequence) { return print_sequence(sequence); }

std::string print_stmt(const Program& program, StmtId stmt) {
  if (stmt >= program.stmts.size()) return "?";
  std::string out;
  StmtPrinter(program, out, kMessage).head(program.stmts[stmt]);
  if (has_block(program.stmts[stmt].kind)) out = shortened(std::move(out)) + " { ... }";
  return shortened(std::move(out));
}

std::string print_expr(const Program& program, ExprId expr) {
  std::string out;
  ExprPrinter(tables_of(program), out, kMessage).print(expr);
  return shortened(std::move(out));
}

Expected<Program> parse_program(std::string_view text) {
  VYRE_TRY_VOID(check_length(text));
  TokenStream tokens(text);
  VYRE_TRY(Program program, read_program(tokens));
  VYRE_TRY_VOID(expect_end(tokens));
  return program;
}

Expected<SequenceDef> parse(std::string_view text) {
  VYRE_TRY_VOID(check_length(text));
  TokenStream tokens(text);
  std::vector<Program> programs;
  while (tokens.peek().is("program")) {
    if (programs.size() >= Limits::kSteps) {
      return error_at(tokens.peek(), "more than {} programs", Limits::kSteps);
    }
    VYRE_TRY(Program program, read_program(tokens));
    programs.push_back(std::move(program));
  }
  if (programs.empty() && !tokens.peek().is("sequence")) {
    return tokens.expected("'program' or 'sequence'");
  }
  if (programs.size() == 1 && tokens.peek().kind == TokenKind::end) {
    return sequence_of(std::move(programs[0]));
  }
  if (!tokens.peek().is("sequence")) return tokens.expected("'program' or 'sequence'");
  VYRE_TRY(SequenceDef sequence, read_sequence(tokens, std::move(programs)));
  VYRE_TRY_VOID(expect_end(tokens));
  return sequence;
}

Fingerprint fingerprint(const Program& program) { return blake3(encode(program).bytes()); }

Fingerprint fingerprint(const SequenceDef& sequence) {
  const ByteWriter encoded = encode(sequence);
  if (is_plain_wrapper(sequence, encoded)) return fingerprint(sequence.programs[0]);
  return blake3(encoded.bytes());
}

std::string to_hex(const Fingerprint& fingerprint) {
  return vyre::to_hex(std::span<const std::uint8_t>(fingerprint));
}

}  // namespace vyre::ir
