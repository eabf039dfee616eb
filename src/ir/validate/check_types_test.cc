#include <gtest/gtest.h>

#include "ir/ops.h"
#include "testing/mistakes.h"

namespace vyre::ir {
namespace {

using testing::Mistake;
using testing::NodeMaker;
using testing::Sample;

constexpr Type kI32{Scalar::i32, 1};
constexpr Type kF32{Scalar::f32, 1};
constexpr Type kF32x4{Scalar::f32, 4};

// Adds `let w: type = value` at the end.
void add_let(Sample& s, Type type, ExprId value) {
  s.program.body.push_back(NodeMaker(s.program).let("w", type, value));
}

ExprId add_expr(Sample& s, Op op, Type type, std::array<ExprId, 4> args) {
  return NodeMaker(s.program).expr({.op = op, .type = type, .args = args});
}

const Mistake kOperands[] = {
    {"V030",
     "program \"sample\", statement \"let w: u32 = 1u + 1f\": in \"1u + 1f\", add takes numbers of "
     "one type, not u32, f32; cast its operands",
     [](Sample& s) {
       NodeMaker make(s.program);
       const ExprId left = make.u32(1);
       add_let(s, kU32, make.op(Op::add, {left, make.f32(1)}));
     }},
    {"V030",
     "program \"sample\", statement \"let w: u32 = sqrt(1u)\": in \"sqrt(1u)\", sqrt takes f32 or "
     "vectors of f32, not u32; cast its operands",
     [](Sample& s) {
       NodeMaker make(s.program);
       add_let(s, kU32, make.op(Op::sqrt, {make.u32(1)}));
     }},
    {"V030",
     "program \"sample\", statement \"let w: u32 = select(1u, 1u, 2u)\": in \"select(1u, 1u, "
     "2u)\", select takes a bool and two values of one type, not u32, u32, u32; cast its operands",
     [](Sample& s) {
       NodeMaker make(s.program);
       const ExprId condition = make.u32(1);
       const ExprId yes = make.u32(1);
       add_let(s, kU32, add_expr(s, Op::select, kU32, {condition, yes, make.u32(2), kNone}));
     }},
    {"V030",
     "program \"sample\", statement \"let w: f32x2 = f32x2(1f, 2u)\": in \"f32x2(1f, 2u)\", an "
     "element of this f32x2 is u32; it must be f32",
     [](Sample& s) {
       NodeMaker make(s.program);
       const ExprId first = make.f32(1);
       add_let(s, {Scalar::f32, 2},
               add_expr(s, Op::vector, {Scalar::f32, 2}, {first, make.u32(2), kNone, kNone}));
     }},
    {"V030",
     "program \"sample\", statement \"let w: f32 = 1f.0\": in \"1f.0\", only a vector has elements "
     "to extract, not f32",
     [](Sample& s) {
       add_let(s, kF32,
               add_expr(s, Op::extract, kF32, {NodeMaker(s.program).f32(1), kNone, kNone, kNone}));
     }},
    {"V036",
     "program \"sample\", statement \"let w: f32 = x[1f]\": in \"x[1f]\", the index into \"x\" is "
     "f32; it must be u32, i32, u64 or i64",
     [](Sample& s) {
       NodeMaker make(s.program);
       add_let(s, kF32, make.load(Sample::x, make.f32(1)));
     }},
};

const Mistake kResults[] = {
    {"V031",
     "program \"sample\", statement \"let i: u32 = global_id(0)\": in \"global_id(0)\", it gives "
     "u32, but is marked as i32; set Expr::type to u32",
     [](Sample& s) { s.arg(s.let_i, 0).type = kI32; }},
    {"V031",
     "program \"sample\", statement \"if i < n { ... }\": in \"i < n\", it gives bool, but is "
     "marked as u32; set Expr::type to bool",
     [](Sample& s) { s.arg(s.branch, 0).type = kU32; }},
    {"V031",
     "program \"sample\", statement \"let v: f32x4 = x.x4[0u]\": in \"x.x4[0u]\", it gives f32x4, "
     "but is marked as u32x4; set Expr::type to f32x4",
     [](Sample& s) { s.arg(s.let_v, 0).type = {Scalar::u32, 4}; }},
    {"V031",
     "program \"sample\", grid axis 0: in \"length(x) / t\", it gives u32, but is marked as u64; "
     "set Expr::type to u32",
     [](Sample& s) { s.expr(s.program.grid[0]).type = {Scalar::u64, 1}; }},
    {"V032",
     "program \"sample\", statement \"let v: f32x4 = x.x4[0u]\": in \"x.x4[0u]\", there is no type "
     "i32x4; vectors are u32x2, u32x4, f32x2 and f32x4",
     [](Sample& s) { s.arg(s.let_v, 0).type = {Scalar::i32, 4}; }},
    {"V032",
     "program \"sample\", statement \"let i: u32 = global_id(0)\": in \"global_id(0)\", there is "
     "no type u32x0; vectors are u32x2, u32x4, f32x2 and f32x4",
     [](Sample& s) { s.arg(s.let_i, 0).type.width = 0; }},
    {"V032",
     "program \"sample\", statement \"let i: u32 = global_id(0)\": in \"global_id(0)\", there is "
     "no type u32x200; vectors are u32x2, u32x4, f32x2 and f32x4",
     [](Sample& s) { s.arg(s.let_i, 0).type.width = 200; }},
    {"V033",
     "program \"sample\", statement \"y[u32(0x100000000)] = v.1\": in \"u32(0x100000000)\", the "
     "constant 0x100000000 has bits beyond u32; zero-extend the value",
     [](Sample& s) { s.arg(s.store_end, 0).bits = std::uint64_t{1} << 32; }},
    {"V033",
     "program \"sample\", statement \"y[u32x2(?)] = v.1\": in \"u32x2(?)\", a constant is a "
     "scalar, not u32x2; use a vector of constants",
     [](Sample& s) { s.arg(s.store_end, 0).type.width = 2; }},
    {"V034",
     "program \"sample\", statement \"y[1u] = v.4\": in \"v.4\", a f32x4 has no element 4; use 0 "
     "to 3",
     [](Sample& s) { s.arg(s.store_end, 1).index = 4; }},
};

void add_cast(Sample& s, Op op, ExprId from, Type to) {
  add_let(s, to, add_expr(s, op, to, {from, kNone, kNone, kNone}));
}

const Mistake kCasts[] = {
    {"V033",
     "program \"sample\", statement \"let w: bool = bool(0x2)\": in \"bool(0x2)\", the constant "
     "0x2 has bits beyond bool; zero-extend the value",
     [](Sample& s) {
       add_let(s, {Scalar::boolean, 1},
               NodeMaker(s.program).expr(
                   {.op = Op::constant, .type = {Scalar::boolean, 1}, .bits = 2}));
     }},
    {"V035",
     "program \"sample\", statement \"let w: f32x4 = f32x4(1f)\": in \"f32x4(1f)\", a cast is from "
     "scalar to scalar, not from f32 to f32x4; cast the elements",
     [](Sample& s) { add_cast(s, Op::cast, NodeMaker(s.program).f32(1), kF32x4); }},
    {"V035",
     "program \"sample\", statement \"let w: u64 = bits_u64(1u)\": in \"bits_u64(1u)\", a bitcast "
     "is between numbers of the same size, not from u32 to u64; use a cast",
     [](Sample& s) { add_cast(s, Op::bitcast, NodeMaker(s.program).u32(1), {Scalar::u64, 1}); }},
    {"V035",
     "program \"sample\", statement \"let w: bool = bits_bool(1u)\": in \"bits_bool(1u)\", a "
     "bitcast is between numbers of the same size, not from u32 to bool; use a cast",
     [](Sample& s) {
       add_cast(s, Op::bitcast, NodeMaker(s.program).u32(1), {Scalar::boolean, 1});
     }},
};

Expr constant(Type type) { return {.op = Op::constant, .type = type, .bits = 1}; }

// An atomic on a new buffer.
void add_atomic(Sample& s, Access access) {
  NodeMaker make(s.program);
  s.program.buffers.push_back({"extra", Scalar::u32, access, make.u32(2)});
  Stmt atomic;
  atomic.kind = StmtKind::atomic;
  atomic.buffer = Sample::acc + 1;
  atomic.args = {make.u32(0), make.u32(1), kNone};
  s.program.body.push_back(make.stmt(atomic));
}

const Mistake kStatements[] = {
    {"V036",
     "program \"sample\", statement \"y[1e-45f] = v.1\": the index into \"y\" is f32; it must be "
     "u32, i32, u64 or i64",
     [](Sample& s) { s.arg(s.store_end, 0) = constant(kF32); }},
    {"V036",
     "program \"sample\", statement \"let old: u32 = atomic_add(count, 1e-45f, 1u)\": the index "
     "into \"count\" is f32; it must be u32, i32, u64 or i64",
     [](Sample& s) { s.arg(s.count_up, 0) = constant(kF32); }},
    {"V037",
     "program \"sample\", statement \"let old: u32 = atomic_add(count, 0u, 1i)\": \"count\" holds "
     "u32, but gets i32; cast the value",
     [](Sample& s) { s.arg(s.count_up, 1) = constant(kI32); }},
    {"V037",
     "program \"sample\", statement \"atomic_compare_exchange(count, 1u, 1i, 2u)\": \"count\" "
     "holds u32, but gets i32; cast the value",
     [](Sample& s) { s.arg(s.compare, 2) = constant(kI32); }},
    {"V037",
     "program \"sample\", statement \"tile[local_id(0)] = x[i]\": \"tile\" holds u32, but gets "
     "f32; cast the value",
     [](Sample& s) { s.program.buffers[Sample::tile].element = Scalar::u32; }},
    {"V038",
     "program \"sample\", statement \"if 1u { ... }\": the condition is u32; it must be bool, so "
     "compare with something",
     [](Sample& s) {
       NodeMaker make(s.program);
       s.program.body.push_back(make.if_(make.u32(1), {}));
     }},
    {"V038",
     "program \"sample\", statement \"while 1i limit 1u { ... }\": the condition is i32; it must "
     "be bool, so compare with something",
     [](Sample& s) {
       NodeMaker make(s.program);
       const ExprId condition = make.i32(1);
       s.program.body.push_back(make.while_({condition, make.u32(1)}, {}));
     }},
    {"V039",
     "program \"sample\", statement \"for k: u32 in 0u .. 4i step 2u unroll t { ... }\": \"4i\" is "
     "i32, but the loop variable is u32; cast it",
     [](Sample& s) { s.arg(s.loop, 1).type = kI32; }},
    {"V039",
     "program \"sample\", statement \"for q: f32 in 0f .. 1f step 1f { ... }\": the loop variable "
     "is f32; it must be u32, i32, u64 or i64",
     [](Sample& s) {
       NodeMaker make(s.program);
       s.program.variables.push_back({"q", kF32, false});
       Stmt loop;
       loop.kind = StmtKind::for_;
       loop.variable = Sample::v + 1;
       loop.args = {make.f32(0), make.f32(1), make.f32(1)};
       s.program.body.push_back(make.stmt(loop));
     }},
    {"V040",
     "program \"sample\", statement \"while s < a limit 10i { ... }\": the limit is i32; it must "
     "be u32",
     [](Sample& s) { s.arg(s.while_loop, 1).type = kI32; }},
    {"V041",
     "program \"sample\", statement \"atomic_add(y, 0u, 1f)\": \"y\" holds f32; atomics work on "
     "u32 and i32",
     [](Sample& s) {
       NodeMaker make(s.program);
       Stmt bad;
       bad.kind = StmtKind::atomic;
       bad.buffer = Sample::y;
       bad.args = {make.u32(0), make.f32(1), kNone};
       s.program.body.push_back(make.stmt(bad));
     }},
    {"V042",
     "program \"sample\", statement \"var s: f32 = 1u\": \"s\" is f32, but gets u32; cast the "
     "value",
     [](Sample& s) { s.arg(s.let_s, 0) = constant(kU32); }},
    {"V042",
     "program \"sample\", statement \"let old: i32 = atomic_add(count, 0u, 1u)\": \"old\" is i32, "
     "but gets u32; cast the value",
     [](Sample& s) { s.program.variables[Sample::old].type = kI32; }},
    {"V050",
     "program \"sample\", statement \"x[1u] = v.1\": \"x\" is a read buffer; declare it read_write "
     "or write",
     [](Sample& s) { s.at(s.store_end).buffer = Sample::x; }},
    {"V051",
     "program \"sample\", statement \"atomic_add(extra, 0u, 1u)\": \"extra\" is a read buffer; "
     "atomics work on read_write, write and local ones",
     [](Sample& s) { add_atomic(s, Access::read); }},
    {"V051",
     "program \"sample\", statement \"atomic_add(extra, 0u, 1u)\": \"extra\" is a private buffer; "
     "atomics work on read_write, write and local ones",
     [](Sample& s) { add_atomic(s, Access::private_); }},
};

TEST(ValidateTypes, Operands) { testing::expect_mistakes(kOperands); }
TEST(ValidateTypes, Results) { testing::expect_mistakes(kResults); }
TEST(ValidateTypes, Casts) { testing::expect_mistakes(kCasts); }
TEST(ValidateTypes, Statements) { testing::expect_mistakes(kStatements); }

TEST(ValidateTypes, EveryIntegerIndexes) {
  for (const Scalar scalar : {Scalar::u32, Scalar::i32, Scalar::u64, Scalar::i64}) {
    Sample s = testing::sample();
    s.arg(s.store_end, 0) = constant({scalar, 1});
    EXPECT_EQ(validate(s.program), std::vector<Error>{}) << to_string(Type{scalar, 1});
  }
}

}  // namespace
}  // namespace vyre::ir
