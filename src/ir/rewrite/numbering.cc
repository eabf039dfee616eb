#include "ir/rewrite/numbering.h"

#include <algorithm>
#include <string_view>

#include "ir/structure.h"

namespace vyre::ir {
namespace {

// Numbers indices 0, 1, 2... in the order in which they are first seen.
class Counter {
 public:
  explicit Counter(std::size_t count) : numbers_(count, kNone) {}

  void see(std::uint32_t index) {
    if (index < numbers_.size() && numbers_[index] == kNone) numbers_[index] = next_++;
  }
  std::vector<std::uint32_t> take() && { return std::move(numbers_); }

 private:
  std::vector<std::uint32_t> numbers_;
  std::uint32_t next_ = 0;
};

// Depth is limited by Limits::kStmtDepth.
void see_writes(const Program& program, const Block& block, Counter& variables, Counter& buffers) {
  for (const StmtId id : block) {
    const Stmt& stmt = program.stmts[id];
    if (stmt.kind == StmtKind::let) continue;
    variables.see(written_variable(stmt));
    buffers.see(written_buffer(stmt));
    if (has_block(stmt.kind)) see_writes(program, stmt.body, variables, buffers);
    if (stmt.kind == StmtKind::if_) see_writes(program, stmt.otherwise, variables, buffers);
  }
}

}  // namespace

std::vector<std::uint32_t> tunables_by_name(std::span<const Symbol> symbols) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < symbols.size(); ++i) {
    if (symbols[i].kind == SymbolKind::tunable) found.push_back(i);
  }
  std::ranges::sort(
      found, {}, [&](std::uint32_t i) { return std::pair(std::string_view(symbols[i].name), i); });
  return found;
}

std::vector<std::uint32_t> number_symbols(std::span<const Symbol> symbols) {
  std::vector<std::uint32_t> numbers(symbols.size(), 0);
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (symbols[i].kind != SymbolKind::tunable) numbers[i] = next++;
  }
  next = 0;
  for (const std::uint32_t i : tunables_by_name(symbols)) numbers[i] = next++;
  return numbers;
}

std::uint32_t written_variable(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::let:
    case StmtKind::assign:
    case StmtKind::for_:
    case StmtKind::atomic:
      return stmt.variable;
    default:
      return kNone;
  }
}

std::uint32_t written_buffer(const Stmt& stmt) {
  return stmt.kind == StmtKind::store || stmt.kind == StmtKind::atomic ? stmt.buffer : kNone;
}

FirstWrites first_writes(const Program& program) {
  Counter variables(program.variables.size());
  Counter buffers(program.buffers.size());
  see_writes(program, program.body, variables, buffers);
  return {std::move(variables).take(), std::move(buffers).take()};
}

std::vector<std::uint32_t> first_bindings(const SequenceDef& sequence) {
  Counter buffers(sequence.buffers.size());
  for (const Step& step : sequence.steps) {
    for (const std::uint32_t buffer : step.buffers) buffers.see(buffer);
  }
  return std::move(buffers).take();
}

}  // namespace vyre::ir
