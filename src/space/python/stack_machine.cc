#include "space/python/stack_machine.h"

#include "base/check.h"

namespace vyre::space::detail {
namespace {

// The operations that nearly all constraints consist of, on two ints that do not overflow. False
// for every other operation, operand or result.
bool fast_binary(Operator op, const Cell& left, const Cell& right, Cell& out) {
  if (left.tag != Tag::integer || right.tag != Tag::integer) return false;
  const std::int64_t a = left.i;
  const std::int64_t b = right.i;
  std::int64_t result = 0;
  switch (op) {
    case Operator::add:
      if (__builtin_add_overflow(a, b, &result)) return false;
      break;
    case Operator::subtract:
      if (__builtin_sub_overflow(a, b, &result)) return false;
      break;
    case Operator::multiply:
      if (__builtin_mul_overflow(a, b, &result)) return false;
      break;
    case Operator::floor_divide:
      if (a < 0 || b <= 0) return false;
      result = a / b;
      break;
    case Operator::modulo:
      if (a < 0 || b <= 0) return false;
      result = a % b;
      break;
    case Operator::less:
      out = Cell::boolean(a < b);
      return true;
    case Operator::less_equal:
      out = Cell::boolean(a <= b);
      return true;
    case Operator::greater:
      out = Cell::boolean(a > b);
      return true;
    case Operator::greater_equal:
      out = Cell::boolean(a >= b);
      return true;
    case Operator::equal:
      out = Cell::boolean(a == b);
      return true;
    case Operator::not_equal:
      out = Cell::boolean(a != b);
      return true;
    default:
      return false;
  }
  out = Cell::integer(result);
  return true;
}

bool any_binary(Evaluation& evaluation, Operator op, const Cell& left, const Cell& right,
                Cell& out) {
  return fast_binary(op, left, right, out) || binary(evaluation, op, left, right, out);
}

class Machine {
 public:
  Machine(const ExpressionCode& code, std::span<const Cell> values, Evaluation& evaluation,
          Cell* stack, Cell* locals)
      : code_(code), values_(values), evaluation_(evaluation), top_(stack), locals_(locals) {}

  bool run(Cell& out, std::size_t& where) {
    const std::size_t size = code_.instructions.size();
    at_ = where;
    while (at_ < size) {
      const Instruction instruction = code_.instructions[at_];
      if (!step(instruction)) {
        where = at_;
        return false;
      }
      ++at_;
    }
    out = top_[-1];
    return true;
  }

 private:
  bool step(const Instruction& instruction);
  bool step_rare(const Instruction& instruction);
  bool make_sequence(SequenceKind kind, std::size_t count);
  bool compare_or_exit(const Instruction& instruction);
  bool begin_loop(std::size_t state);
  bool next(std::size_t state);

  void push(const Cell& cell) { *top_++ = cell; }
  void jump(const Instruction& instruction) { at_ = instruction.argument - 1; }

  const ExpressionCode& code_;
  std::span<const Cell> values_;
  Evaluation& evaluation_;
  Cell* top_;  // one past the topmost
  Cell* locals_;
  std::size_t at_ = 0;
};

bool Machine::step(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::constant:
      push(code_.constants[instruction.argument]);
      return true;
    case Opcode::load:
      push(values_[instruction.argument]);
      return true;
    case Opcode::binary:
      --top_;
      return any_binary(evaluation_, static_cast<Operator>(instruction.detail), top_[-1], top_[0],
                        top_[-1]);
    case Opcode::compare_or_exit:
      return compare_or_exit(instruction);
    case Opcode::logical_not:
      top_[-1] = Cell::boolean(!truth(top_[-1]));
      return true;
    case Opcode::keep_if_false:
    case Opcode::keep_if_true:
      if (truth(top_[-1]) == (instruction.opcode == Opcode::keep_if_true)) {
        jump(instruction);
      } else {
        --top_;
      }
      return true;
    default:
      return step_rare(instruction);
  }
}

bool Machine::step_rare(const Instruction& instruction) {
  const std::size_t argument = instruction.argument;
  switch (instruction.opcode) {
    case Opcode::load_local:
      push(locals_[argument]);
      return true;
    case Opcode::unary:
      return unary(evaluation_, static_cast<Operator>(instruction.detail), top_[-1], top_[-1]);
    case Opcode::jump:
      jump(instruction);
      return true;
    case Opcode::jump_if_false:
      if (!truth(*--top_)) jump(instruction);
      return true;
    case Opcode::call: {
      top_ -= argument;
      Cell result;
      const auto function = static_cast<Function>(instruction.detail);
      if (!call(evaluation_, function, std::span(top_, argument), result)) return false;
      push(result);
      return true;
    }
    case Opcode::make_list:
      return make_sequence(SequenceKind::list, argument);
    case Opcode::make_tuple:
      return make_sequence(SequenceKind::tuple, argument);
    case Opcode::begin_list:
      locals_[argument] = Cell::sequence(evaluation_.pool.add(SequenceKind::list));
      return evaluation_.spend(8);
    case Opcode::append:
      // Only begin_list makes this local, and nothing else has seen the list yet.
      const_cast<PythonSequence*>(locals_[argument].q)->items.push_back(*--top_);
      return evaluation_.spend(1);
    case Opcode::begin_loop:
      return begin_loop(argument);
    case Opcode::next_or_exit:
      return next(argument);
    default:
      VYRE_CHECK(false);
      return false;
  }
}

bool Machine::compare_or_exit(const Instruction& instruction) {
  --top_;
  Cell result;
  const auto op = static_cast<Operator>(instruction.detail);
  if (!any_binary(evaluation_, op, top_[-1], top_[0], result)) return false;
  if (truth(result)) {
    top_[-1] = top_[0];
  } else {
    top_[-1] = result;
    jump(instruction);
  }
  return true;
}

bool Machine::make_sequence(SequenceKind kind, std::size_t count) {
  if (!evaluation_.spend(8 + count)) return false;
  PythonSequence* sequence = evaluation_.pool.add(kind);
  sequence->items.assign(top_ - count, top_);
  top_ -= count;
  push(Cell::sequence(sequence));
  return true;
}

bool Machine::begin_loop(std::size_t state) {
  const Cell iterable = *--top_;
  if (iterable.tag == Tag::text) {
    if (!call(evaluation_, Function::list, std::span(&iterable, 1), locals_[state])) return false;
  } else if (iterable.tag == Tag::sequence) {
    locals_[state] = iterable;
  } else {
    return evaluation_.fail("\"for\" needs a list, not " + std::string(type_name(iterable)));
  }
  locals_[state + 1] = Cell::integer(0);
  return true;
}

bool Machine::next(std::size_t state) {
  const std::vector<Cell>& items = locals_[state].q->items;
  const auto position = static_cast<std::size_t>(locals_[state + 1].i);
  if (!evaluation_.spend(1 + code_.instructions.size() / 8)) return false;
  if (position == items.size()) return true;
  locals_[state + 2] = items[position];
  ++locals_[state + 1].i;
  ++at_;  // over the jump to the end
  return true;
}

}  // namespace

bool run(const ExpressionCode& code, std::span<const Cell> values, Evaluation& evaluation,
         Cell& out, std::size_t& where) {
  const std::size_t needed = code.stack_size + code.locals;
  if (evaluation.cells.size() < needed) evaluation.cells.resize(needed);
  Cell* stack = evaluation.cells.data();
  return Machine(code, values, evaluation, stack, stack + code.stack_size).run(out, where);
}

}  // namespace vyre::space::detail
