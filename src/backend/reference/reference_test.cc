// Duties of the interpreter alone: it finds races, stops programs that run too long, and refuses
// programs that are too large.

#include <gtest/gtest.h>

#include "vyre/call.h"
#include "vyre/program.h"

namespace vyre::backend {
namespace {

ir::Sequence sequence_of(const std::string& text) {
  auto def = ir::parse(text);
  EXPECT_TRUE(def) << def.error().message;
  auto sequence = ir::Sequence::make(*std::move(def));
  EXPECT_TRUE(sequence) << sequence.error().message;
  return *sequence;
}

Error error_of(const std::string& text, const ReferenceOptions& options) {
  const auto outputs =
      make_dispatcher(open_reference(options))->dispatch(sequence_of(text), Call{});
  return outputs ? Error{.message = "no error"} : outputs.error();
}

std::string body(const std::string& statements) {
  return "program p {\n  write y: u32[64u]\n  write z: u32[1u]\n  local t: u32[64u]\n"
         "  workgroup [64u, 1u, 1u]\n  let i: u32 = local_id(0)\n" +
         statements + "}\n";
}

TEST(Races, AreReportedWithBufferAndBothPlaces) {
  struct Case {
    const char* statements;
    const char* message;
  };
  const Case table[] = {
      {"  t[i] = i\n  y[i] = t[63u - i]\n",
       "data race in \"p\" on t[63]: invocation 63 writes it in `t[i] = i`, invocation 0 reads it "
       "in `y[i] = t[63u - i]`; put a barrier between them or make both atomic"},
      {"  z[0u] = i\n",
       "data race in \"p\" on z[0]: invocation 0 writes it in `z[0u] = i`, invocation 1 writes it "
       "in `z[0u] = i`; put a barrier between them or make both atomic"},
      {"  y[i] = t[0u]\n  if i == 5u {\n    t[0u] = 1u\n  }\n",
       "data race in \"p\" on t[0]: invocation 0 reads it in `y[i] = t[0u]`, invocation 5 writes "
       "it in `t[0u] = 1u`; put a barrier between them or make both atomic"},
      {"  atomic_add(z, 0u, 1u)\n  y[i] = z[0u]\n",
       "data race in \"p\" on z[0]: invocation 1 updates it in `atomic_add(z, 0u, 1u)`, "
       "invocation 0 reads it in `y[i] = z[0u]`; put a barrier between them or make both atomic"},
  };
  for (const Case& c : table) {
    const Error error = error_of(body(c.statements), {.detect_races = true});
    EXPECT_EQ(error.message, c.message);
    EXPECT_EQ(error.code, "race");
    EXPECT_EQ(error_of(body(c.statements), {}).message, "no error") << "only on request";
  }
}

TEST(Races, AreNotReportedWhereThereAreNone) {
  for (const char* statements : {
           "  t[i] = i\n  barrier\n  y[i] = t[63u - i]\n",
           "  t[i] = i\n  t[i] = t[i] + 1u\n  y[i] = t[i]\n",
           "  atomic_add(z, 0u, 1u)\n  atomic_max(z, 0u, i)\n",
           "  y[i] = t[0u]\n",
           "  if i == 3u {\n    z[0u] = 1u\n    z[0u] = z[0u] + 1u\n  }\n",
           "  t[i] = 1u\n  barrier\n  t[(i + 1u) % 64u] = 2u\n  barrier\n  y[i] = t[i]\n",
       }) {
    EXPECT_EQ(error_of(body(statements), {.detect_races = true}).message, "no error") << statements;
  }
}

TEST(Budget, StopsLoopsAndGridsThatTakeTooLong) {
  const char* const loops =
      "  var v: u32 = 0u\n  while true limit 4294967295u {\n    while true limit 4294967295u {\n"
      "      v = v + 1u\n    }\n  }\n  y[i] = v\n";
  const Error error = error_of(body(loops), {.budget = 1'000'000});
  EXPECT_EQ(error.kind, ErrorKind::backend);
  EXPECT_EQ(error.message,
            "\"p\" was stopped after 1000000 lane instructions, the interpreter's budget; raise "
            "ReferenceOptions::budget or check its loops");
  const char* const grid =
      "program p {\n  write y: u32[1u]\n  workgroup [1u, 1u, 1u]\n"
      "  grid [4294967295u, 4294967295u, 4294967295u]\n  atomic_add(y, 0u, 1u)\n}\n";
  EXPECT_EQ(error_of(grid, {.budget = 1'000'000}).message, error.message);
}

TEST(Budget, IsNotTouchedByWhatFits) {
  EXPECT_EQ(error_of(body("  y[i] = i\n"), {.budget = 1'000}).message, "no error");
}

TEST(Memory, OfAWorkgroupIsBounded) {
  const Error error = error_of(
      "program p {\n  write y: u32[1u]\n  private a: u32[1000000u]\n  workgroup [1024u, 1u, 1u]\n"
      "  a[global_id(0)] = 1u\n  y[0u] = a[0u]\n}\n",
      {});
  EXPECT_EQ(error.kind, ErrorKind::rejected);
  EXPECT_TRUE(error.message.starts_with("program \"p\" needs 40")) << error.message;
  EXPECT_TRUE(error.message.ends_with("use a smaller workgroup or smaller arrays"));
}

}  // namespace
}  // namespace vyre::backend
