#include "testing/mutate_program.h"

#include <array>
#include <random>
#include <string>
#include <vector>

namespace vyre::testing {
namespace {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  void damage(ir::Program& p);
  void damage(ir::SequenceDef& s);

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }

  // An id near the valid ones, or far away, or none.
  void id(std::uint32_t& value, std::size_t count) {
    const std::array<std::uint32_t, 6> odd{ir::kNone,   ir::kNone - 1,
                                           0x80000000U, static_cast<std::uint32_t>(count),
                                           value + 1,   value - 1};
    value = chance(3) ? odd[below(odd.size())] : static_cast<std::uint32_t>(below(count));
  }

  // Any byte, but mostly one near the enumerators.
  template <class Enum>
  void enumerator(Enum& value) {
    value = static_cast<Enum>(chance(8) ? below(256) : below(12));
  }
  void op(ir::Op& value) { value = static_cast<ir::Op>(chance(8) ? below(256) : below(60)); }
  void type(ir::Type& value) {
    constexpr std::array<std::uint8_t, 8> widths{0, 1, 1, 2, 3, 4, 5, 200};
    chance(2) ? enumerator(value.scalar) : void(value.width = widths[below(widths.size())]);
  }
  void bits(std::uint64_t& value) {
    const std::array<std::uint64_t, 6> odd{0, 1, 0xffffffffU, UINT64_MAX, random_(), value + 1};
    value = odd[below(odd.size())];
  }
  void name(std::string& value) {
    const std::array<std::string, 8> odd{"",  "a\nb", "if", std::string(129, 'a'),
                                         "x", "\xff", "n",  std::string(1, '\0')};
    value = odd[below(odd.size())];
  }

  template <class T>
  T* pick(std::vector<T>& from) {
    return from.empty() ? nullptr : &from[below(from.size())];
  }
  // Moves, copies or drops an element.
  template <class T>
  void rearrange(std::vector<T>& list) {
    if (list.empty()) return;
    const std::size_t at = below(list.size());
    switch (below(4)) {
      case 0:
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
        return;
      case 1:
        list.push_back(T(list[at]));
        return;
      case 2:
        list.resize(at);
        return;
      default:
        std::swap(list[at], list[below(list.size())]);
    }
  }

  void expr(ir::Expr& e, std::size_t exprs);
  void stmt(ir::Stmt& s, const ir::Program& p);
  void symbol(ir::Symbol& s);
  void buffer(ir::Buffer& b, std::size_t exprs);
  void variable(ir::Variable& v);
  void lists(ir::Program& p);
  void step(ir::Step& step, const ir::SequenceDef& s);
  void repeat(ir::SequenceDef& s);

  std::mt19937_64 random_;
};

void Mutator::expr(ir::Expr& e, std::size_t exprs) {
  switch (below(5)) {
    case 0:
      return op(e.op);
    case 1:
      return type(e.type);
    case 2:
      return id(e.index, 20);
    case 3:
      return bits(e.bits);
    default:
      return id(e.args[below(4)], exprs);
  }
}

void Mutator::stmt(ir::Stmt& s, const ir::Program& p) {
  switch (below(9)) {
    case 0:
      return enumerator(s.kind);
    case 1:
      return enumerator(s.atomic);
    case 2:
      return id(s.variable, p.variables.size());
    case 3:
      return id(s.buffer, p.buffers.size());
    case 4:
      return id(s.args[below(3)], p.exprs.size());
    case 5:
      return id(s.unroll, p.exprs.size());
    case 6:
      return name(s.name);
    case 7:
      return rearrange(s.body);
    default:
      return s.body.swap(s.otherwise);
  }
}

void Mutator::symbol(ir::Symbol& s) {
  switch (below(6)) {
    case 0:
      return name(s.name);
    case 1:
      return enumerator(s.kind);
    case 2:
      return enumerator(s.type);
    case 3:
      if (auto* const value = pick(s.values)) bits(*value);
      return;
    case 4:
      return s.values.empty() || chance(3) ? s.values.push_back(s.default_bits)
                                           : rearrange(s.values);
    default:
      return bits(s.default_bits);
  }
}

void Mutator::buffer(ir::Buffer& b, std::size_t exprs) {
  switch (below(4)) {
    case 0:
      return name(b.name);
    case 1:
      return enumerator(b.element);
    case 2:
      return enumerator(b.access);
    default:
      return id(b.length, exprs);
  }
}

void Mutator::variable(ir::Variable& v) {
  switch (below(3)) {
    case 0:
      return name(v.name);
    case 1:
      return type(v.type);
    default:
      v.is_mutable = !v.is_mutable;
  }
}

void Mutator::lists(ir::Program& p) {
  switch (below(9)) {
    case 0:
      return rearrange(p.symbols);
    case 1:
      return rearrange(p.buffers);
    case 2:
      return rearrange(p.variables);
    case 3:
      return rearrange(p.exprs);
    case 4:
      return rearrange(p.stmts);
    case 5:
      return rearrange(p.body);
    case 6:
      return id(p.workgroup[below(3)], p.exprs.size());
    case 7:
      return id(p.grid[below(3)], p.exprs.size());
    default:
      return name(p.name);
  }
}

void Mutator::damage(ir::Program& p) {
  const std::size_t what = below(10);
  ir::Expr* const e = pick(p.exprs);
  ir::Stmt* const s = pick(p.stmts);
  if (what < 4 && e != nullptr) return expr(*e, p.exprs.size());
  if (what < 7 && s != nullptr) return stmt(*s, p);
  ir::Symbol* const sym = pick(p.symbols);
  ir::Buffer* const buf = pick(p.buffers);
  ir::Variable* const var = pick(p.variables);
  const std::size_t declaration = below(4);
  if (declaration == 0 && sym != nullptr) return symbol(*sym);
  if (declaration == 1 && buf != nullptr) return buffer(*buf, p.exprs.size());
  if (declaration == 2 && var != nullptr) return variable(*var);
  lists(p);
}

void Mutator::step(ir::Step& step, const ir::SequenceDef& s) {
  switch (below(6)) {
    case 0:
      return id(step.program, s.programs.size());
    case 4:
      return id(step.when, s.exprs.size());
    case 1:
      return rearrange(step.buffers);
    case 2:
      return rearrange(step.symbols);
    case 3:
      if (auto* const bound = pick(step.buffers)) id(*bound, s.buffers.size());
      return;
    default:
      if (auto* const value = pick(step.symbols)) id(*value, s.exprs.size());
  }
}

void Mutator::repeat(ir::SequenceDef& s) {
  if (!s.repeat) s.repeat.emplace();
  id(s.repeat->first, s.steps.size());
  id(s.repeat->last, s.steps.size() + 1);
  id(s.repeat->until, s.buffers.size());
  id(s.repeat->limit, 3);
}

void Mutator::damage(ir::SequenceDef& s) {
  ir::Program* const program = pick(s.programs);
  ir::Step* const a_step = pick(s.steps);
  ir::Expr* const e = pick(s.exprs);
  ir::Buffer* const buf = pick(s.buffers);
  ir::Symbol* const sym = pick(s.symbols);
  switch (below(8)) {
    case 0:
      return program != nullptr ? damage(*program) : name(s.name);
    case 1:
      return a_step != nullptr ? step(*a_step, s) : rearrange(s.programs);
    case 2:
      return e != nullptr ? expr(*e, s.exprs.size()) : rearrange(s.symbols);
    case 3:
      return buf != nullptr ? buffer(*buf, s.exprs.size()) : rearrange(s.steps);
    case 4:
      return sym != nullptr ? symbol(*sym) : rearrange(s.buffers);
    case 5:
      return repeat(s);
    case 6:
      return chance(2) ? rearrange(s.steps) : rearrange(s.programs);
    default:
      return chance(2) ? rearrange(s.buffers) : rearrange(s.exprs);
  }
}

}  // namespace

void mutate(ir::Program& program, std::uint64_t seed) { Mutator(seed).damage(program); }
void mutate(ir::SequenceDef& sequence, std::uint64_t seed) { Mutator(seed).damage(sequence); }

}  // namespace vyre::testing
