#include "ir/rewrite/encode.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/blake3.h"
#include "ir/rewrite/expr_encoder.h"
#include "ir/rewrite/numbering.h"
#include "ir/source.h"
#include "ir/structure.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

// Statements are written as tag 1 + kind.
constexpr std::uint8_t kBlockEnd = 0;

class BodyEncoder {
 public:
  BodyEncoder(const Program& program, std::span<const std::uint32_t> first_writes,
              ExprEncoder& exprs, ByteWriter& out)
      : program_(program), exprs_(exprs), out_(out) {
    for (const std::uint32_t number : first_writes) {
      const auto kind = number == kNone ? VariableRef::Kind::let : VariableRef::Kind::written;
      exprs_.variables.push_back({kind, number, {}});
    }
  }

  // Depth is limited by Limits::kStmtDepth.
  void write(const Block& block) {
    std::span<const StmtId> rest = block;
    while (!rest.empty()) {
      const auto run_end =
          std::ranges::find_if(rest, [&](StmtId id) { return stmt(id).kind != StmtKind::let; });
      const auto run = rest.first(static_cast<std::size_t>(run_end - rest.begin()));
      if (run.empty())
        write(stmt(rest.front()));
      else
        write_run(run);
      rest = rest.subspan(std::max<std::size_t>(run.size(), 1));
    }
    out_.u8(kBlockEnd);
  }

 private:
  const Stmt& stmt(StmtId id) const { return program_.stmts[id]; }

  void write_tag(StmtKind kind) {
    out_.u8(static_cast<std::uint8_t>(static_cast<std::uint8_t>(kind) + 1));
  }

  void write(const Stmt& stmt);
  void write_run(std::span<const StmtId> run);
  Hash hash_of(const Stmt& let);

  const Program& program_;
  ExprEncoder& exprs_;
  ByteWriter& out_;
  std::uint32_t next_let_ = 0;
  ByteWriter let_;  // kept for its storage
};

// A field that the kind does not have is not written, and a region's name is not written either.
void BodyEncoder::write(const Stmt& stmt) {
  write_tag(stmt.kind);
  if (stmt.kind == StmtKind::atomic) out_.tag(stmt.atomic);
  const std::uint32_t variable = written_variable(stmt);
  const std::uint32_t buffer = written_buffer(stmt);
  out_.u32(variable == kNone ? kNone : exprs_.variables[variable].number);
  out_.u32(buffer == kNone ? kNone : exprs_.buffer_numbers[buffer]);
  for (const ExprId operand : operands(stmt)) exprs_.write(out_, operand);
  if (stmt.kind == StmtKind::for_) exprs_.write_optional(out_, stmt.unroll);
  if (has_block(stmt.kind)) write(stmt.body);
  if (stmt.kind == StmtKind::if_) write(stmt.otherwise);
}

Hash BodyEncoder::hash_of(const Stmt& let) {
  const VariableRef& variable = exprs_.variables[let.variable];
  let_.clear();
  let_.tag(variable.kind);
  if (variable.kind == VariableRef::Kind::written) let_.u32(variable.number);
  exprs_.write(let_, let.args[0]);
  return blake3(let_.bytes());
}

void BodyEncoder::write_run(std::span<const StmtId> run) {
  std::vector<std::pair<Hash, std::uint32_t>> members;  // and the variable
  for (const StmtId id : run) {
    VariableRef& variable = exprs_.variables[stmt(id).variable];
    members.emplace_back(hash_of(stmt(id)), stmt(id).variable);
    if (variable.kind == VariableRef::Kind::written) continue;
    variable = {VariableRef::Kind::in_run, kNone, members.back().first};
  }
  std::ranges::sort(members);
  write_tag(StmtKind::let);
  out_.u64(members.size());
  const Hash* previous = nullptr;
  for (const auto& [hash, index] : members) {
    out_.raw(hash);
    if (previous != nullptr && *previous != hash) ++next_let_;
    previous = &hash;
    VariableRef& variable = exprs_.variables[index];
    if (variable.kind == VariableRef::Kind::written) continue;
    variable = {VariableRef::Kind::let, next_let_, {}};
  }
  ++next_let_;
}

void write_step(ByteWriter& out, const Step& step, std::span<const Fingerprint> programs,
                ExprEncoder& exprs) {
  out.raw(programs[step.program]);
  out.u64(step.buffers.size());
  for (const std::uint32_t buffer : step.buffers) out.u32(exprs.buffer_numbers[buffer]);
  out.u64(step.symbols.size());
  for (const ExprId value : step.symbols) exprs.write_optional(out, value);
}

bool has_condition(const Step& step) { return step.when != kNone; }

// The conditions of steps follow `repeat`, and a bit of its tag says that there are some: a
// sequence without conditions has the bytes that it had before steps could have them.
void write_conditions(ByteWriter& out, std::span<const Step> steps, ExprEncoder& exprs) {
  if (std::ranges::none_of(steps, has_condition)) return;
  for (const Step& step : steps) exprs.write_optional(out, step.when);
}

void write_repeat(ByteWriter& out, const std::optional<Repeat>& repeat, bool has_conditions,
                  const ExprEncoder& exprs) {
  out.u8(static_cast<std::uint8_t>((repeat ? 1 : 0) + (has_conditions ? 2 : 0)));
  if (!repeat) return;
  out.u32(repeat->first);
  out.u32(repeat->last);
  out.u32(exprs.buffer_numbers[repeat->until]);
  out.u32(repeat->limit);
}

// The source text follows the empty body. All tunables count, since the text may use each of them.
void write_source(ByteWriter& out, const Program& program, ExprEncoder& exprs) {
  const Source& source = *program.source;
  out.tag(source.language);
  for (const std::string* text : {&source.text, &source.entry, &source.options}) out.text(*text);
  out.u64(source.arguments.size());
  for (const Source::Argument& argument : source.arguments) {
    out.u32(argument.bytes);
    if (is_cuda_like(source.language)) out.text(argument.symbol);
    const NamedPlace place = find_declared(program, argument.name);
    out.tag(place.kind);
    if (place.kind == NamedPlace::Kind::buffer) out.u32(exprs.buffer_numbers[place.index]);
    if (place.kind == NamedPlace::Kind::symbol) exprs.write_symbol(out, place.index);
  }
  for (std::uint32_t i = 0; i < program.symbols.size(); ++i) {
    if (program.symbols[i].kind == SymbolKind::tunable) exprs.write_symbol(out, i);
  }
}

}  // namespace

ByteWriter encode(const Program& program) {
  ByteWriter out;
  ExprEncoder exprs(program.symbols, program.exprs);
  const FirstWrites writes = first_writes(program);
  exprs.write_head(out, "vyre program");
  exprs.write_buffers(out, program.buffers, writes.buffers);
  for (const ExprId size : program.grid) exprs.write_optional(out, size);
  BodyEncoder(program, writes.variables, exprs, out).write(program.body);
  if (program.source) write_source(out, program, exprs);
  exprs.write_tunables(out);
  return out;
}

// Programs are written as their fingerprints, sorted and each once, because their places in the
// vector mean nothing. Unused programs count too, because their tunables are the sequence's.
ByteWriter encode(const SequenceDef& sequence) {
  std::vector<Fingerprint> programs;
  for (const Program& program : sequence.programs) programs.push_back(fingerprint(program));
  const std::set<Fingerprint> distinct(programs.begin(), programs.end());
  ByteWriter out;
  ExprEncoder exprs(sequence.symbols, sequence.exprs);
  exprs.write_head(out, "vyre sequence");
  exprs.write_buffers(out, sequence.buffers, first_bindings(sequence));
  out.u64(distinct.size());
  for (const Fingerprint& program : distinct) out.raw(program);
  out.u64(sequence.steps.size());
  for (const Step& step : sequence.steps) write_step(out, step, programs, exprs);
  write_repeat(out, sequence.repeat, std::ranges::any_of(sequence.steps, has_condition), exprs);
  write_conditions(out, sequence.steps, exprs);
  exprs.write_tunables(out);
  return out;
}

}  // namespace vyre::ir
