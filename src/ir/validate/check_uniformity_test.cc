#include <gtest/gtest.h>

#include "ir/ops.h"
#include "testing/mistakes.h"

namespace vyre::ir {
namespace {

using testing::NodeMaker;

// program flow { shape n; read x: u32[n]; write y: u32[n]; local l: u32[4]; <body> }
struct Flow {
  Program program;
  NodeMaker make{program};

  Flow() {
    program.name = "flow";
    program.symbols = {{"n", SymbolKind::shape, Scalar::u32, 0}};
    program.buffers = {{"x", Scalar::u32, Access::read, make.symbol(0)},
                       {"y", Scalar::u32, Access::write, make.symbol(0)},
                       {"l", Scalar::u32, Access::local, make.u32(4)}};
  }
  Flow(const Flow&) = delete;
  Flow& operator=(const Flow&) = delete;

  ExprId local_id() { return make.id(IdKind::local_id, 0); }
  ExprId group_id() { return make.id(IdKind::group_id, 0); }
  ExprId is_zero(ExprId value) { return make.op(Op::eq, {value, make.u32(0)}); }
  StmtId for_(ExprId end, Block body) {
    program.variables.push_back({"k", kU32, false});
    Stmt loop;
    loop.kind = StmtKind::for_;
    loop.variable = static_cast<std::uint32_t>(program.variables.size() - 1);
    loop.args = {make.u32(0), end, make.u32(1)};
    loop.body = std::move(body);
    return make.stmt(loop);
  }
  void add(StmtId stmt) { program.body.push_back(stmt); }
};

struct Case {
  const char* code;  // empty: valid
  const char* message;
  std::function<void(Flow&)> make;
};

const Case kCases[] = {
    {"V070",
     "program \"flow\", statement \"barrier\": not all invocations of a workgroup may reach it, "
     "because \"if local_id(0) == 0u { ... }\" can differ between them; move it out of there",
     [](Flow& f) { f.add(f.make.if_(f.is_zero(f.local_id()), {f.make.barrier()})); }},
    {"V070",
     "program \"flow\", statement \"barrier\": not all invocations of a workgroup may reach it, "
     "because \"if local_id(0) == 0u { ... }\" can differ between them; move it out of there",
     [](Flow& f) { f.add(f.make.if_(f.is_zero(f.local_id()), {}, {f.make.barrier()})); }},
    {"V070",
     "program \"flow\", statement \"barrier\": not all invocations of a workgroup may reach it, "
     "because \"if x[local_id(0)] == 0u { ... }\" can differ between them; move it out of there",
     [](Flow& f) {  // through a load at an index that differs
       f.add(f.make.if_(f.is_zero(f.make.load(0, f.local_id())), {f.make.barrier()}));
     }},
    {"V070",
     "program \"flow\", statement \"barrier\": not all invocations of a workgroup may reach it, "
     "because \"if l[0u] == 0u { ... }\" can differ between them; move it out of there",
     [](Flow& f) {  // a buffer that others may write
       f.add(f.make.if_(f.is_zero(f.make.load(2, f.make.u32(0))), {f.make.barrier()}));
     }},
    {"V070",
     "program \"flow\", statement \"barrier\": not all invocations of a workgroup may reach it, "
     "because \"for k: u32 in 0u .. local_id(0) { ... }\" can differ between them; move it out of "
     "there",
     [](Flow& f) { f.add(f.for_(f.local_id(), {f.make.barrier()})); }},
    {"V070",
     "program \"flow\", statement \"barrier\": not all invocations of a workgroup may reach it, "
     "because \"while local_id(0) == 0u limit 3u { ... }\" can differ between them; move it out of "
     "there",
     [](Flow& f) {
       const ExprId condition = f.is_zero(f.local_id());
       f.add(f.make.while_({condition, f.make.u32(3)}, {f.make.barrier()}));
     }},
    {"V070",
     "program \"flow\", statement \"barrier\": not all invocations of a workgroup may reach it, "
     "because \"while group_id(0) == 0u limit local_id(0) { ... }\" can differ between them; move "
     "it out of there",
     [](Flow& f) {  // a while limit that differs
       const ExprId condition = f.is_zero(f.group_id());
       f.add(f.make.while_({condition, f.local_id()}, {f.make.barrier()}));
     }},
    {"V070",
     "program \"flow\", statement \"barrier\": not all invocations of a workgroup may reach it, "
     "because \"if a == 0u { ... }\" can differ between them; move it out of there",
     [](Flow& f) {  // through a variable
       f.add(f.make.let("a", kU32, f.local_id()));
       f.add(f.make.if_(f.is_zero(f.make.variable(0)), {f.make.barrier()}));
     }},
    {"V070",
     "program \"flow\", statement \"barrier\": not all invocations of a workgroup may reach it, "
     "because \"if a == 0u { ... }\" can differ between them; move it out of there",
     [](Flow& f) {  // through a variable assigned under a condition that differs
       f.add(f.make.let("a", kU32, f.make.u32(0), true));
       f.add(f.make.if_(f.is_zero(f.local_id()), {f.make.assign(0, f.make.u32(1))}));
       f.add(f.make.if_(f.is_zero(f.make.variable(0)), {f.make.barrier()}));
     }},
    {"V070",
     "program \"flow\", statement \"barrier\": not all invocations of a workgroup may reach it, "
     "because \"if a == 0u { ... }\" can differ between them; move it out of there",
     [](Flow& f) {  // the second turn of a loop sees what the first assigned
       f.add(f.make.let("a", kU32, f.make.u32(0), true));
       const StmtId test = f.make.if_(f.is_zero(f.make.variable(0)), {f.make.barrier()});
       f.add(f.for_(f.make.u32(4), {test, f.make.assign(0, f.local_id())}));
     }},
    {"V070",
     "program \"flow\", statement \"barrier\": not all invocations of a workgroup may reach it, "
     "because \"if old == 0u { ... }\" can differ between them; move it out of there",
     [](Flow& f) {  // the old value of an atomic
       f.program.variables.push_back({"old", kU32, false});
       Stmt atomic;
       atomic.kind = StmtKind::atomic;
       atomic.buffer = 2;
       atomic.variable = 0;
       atomic.args = {f.make.u32(0), f.make.u32(1), kNone};
       f.add(f.make.stmt(atomic));
       f.add(f.make.if_(f.is_zero(f.make.variable(0)), {f.make.barrier()}));
     }},
    {"V071",
     "program \"flow\", statement \"barrier\": some invocations of a workgroup may have returned "
     "before it, under \"if local_id(0) == 0u { ... }\"; let them skip the work instead of "
     "returning",
     [](Flow& f) {
       f.add(f.make.if_(f.is_zero(f.local_id()), {f.make.return_()}));
       f.add(f.make.barrier());
     }},
    {"V071",
     "program \"flow\", statement \"barrier\": some invocations of a workgroup may have returned "
     "before it, under \"if local_id(0) == 0u { ... }\"; let them skip the work instead of "
     "returning",
     [](Flow& f) {  // in an outer block
       const StmtId inner = f.make.if_(f.is_zero(f.local_id()), {f.make.return_()});
       f.add(f.make.if_(f.is_zero(f.group_id()), {inner}));
       f.add(f.make.barrier());
     }},
    {"V071",
     "program \"flow\", statement \"barrier\": some invocations of a workgroup may have returned "
     "before it, under \"if local_id(0) == 0u { ... }\"; let them skip the work instead of "
     "returning",
     [](Flow& f) {  // in the loop's next turn
       const StmtId barrier = f.make.barrier();
       const StmtId leave = f.make.if_(f.is_zero(f.local_id()), {f.make.return_()});
       f.add(f.for_(f.make.u32(4), {barrier, leave}));
     }},
    {"", "", [](Flow& f) { f.add(f.make.if_(f.is_zero(f.group_id()), {f.make.barrier()})); }},
    {"", "", [](Flow& f) { f.add(f.make.if_(f.is_zero(f.make.symbol(0)), {f.make.barrier()})); }},
    {"", "",
     [](Flow& f) {
       f.add(f.make.if_(f.is_zero(f.make.load(0, f.group_id())), {f.make.barrier()}));
     }},
    {"", "", [](Flow& f) { f.add(f.for_(f.make.length(0), {f.make.barrier()})); }},
    {"", "",
     [](Flow& f) {  // all return
       f.add(f.make.if_(f.is_zero(f.group_id()), {f.make.return_()}));
       f.add(f.make.barrier());
     }},
    {"", "",
     [](Flow& f) {  // the return is in the other branch
       const StmtId inner = f.make.if_(f.is_zero(f.local_id()), {f.make.return_()});
       f.add(f.make.if_(f.is_zero(f.group_id()), {inner}, {f.make.barrier()}));
     }},
    {"", "",
     [](Flow& f) {
       f.add(f.make.barrier());
       f.add(f.make.if_(f.is_zero(f.local_id()), {f.make.return_()}));
     }},
};

TEST(ValidateUniformity, Cases) {
  for (const auto& [code, message, make] : kCases) {
    Flow flow;
    make(flow);
    const auto errors = validate(flow.program);
    if (*code == '\0') {
      EXPECT_EQ(errors, std::vector<Error>{}) << print(flow.program);
    } else {
      testing::expect_only(errors, code, message);
    }
  }
}

// Each value moves one variable further per turn of the loop: an analysis that repeats until
// nothing changes would go over the program as often as there are variables.
TEST(ValidateUniformity, LongChainsTakeNoLongerThanShortOnes) {
  Flow f;
  constexpr std::uint32_t kVariables = 10'000;
  for (std::uint32_t i = 0; i < kVariables; ++i) {
    f.add(f.make.let("v" + std::to_string(i), kU32, f.make.u32(0), true));
  }
  Block body;
  for (std::uint32_t i = 0; i + 1 < kVariables; ++i) {
    body.push_back(f.make.assign(i, f.make.variable(i + 1)));
  }
  body.push_back(f.make.assign(kVariables - 1, f.local_id()));
  body.push_back(f.make.if_(f.is_zero(f.make.variable(0)), {f.make.barrier()}));
  f.add(f.for_(f.make.u32(4), body));
  const auto errors = validate(f.program);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].code, "V070");
}

TEST(ValidateUniformity, ManyReturns) {
  Flow f;
  for (int i = 0; i < 10'000; ++i) {
    f.add(f.make.if_(f.is_zero(f.local_id()), {f.make.return_()}));
  }
  EXPECT_EQ(validate(f.program), std::vector<Error>{});
}

}  // namespace
}  // namespace vyre::ir
