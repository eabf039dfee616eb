// Scratch rows live in outputs where nothing can tell, and near misses keep their memory.

#include "fuse/reside.h"

#include <gtest/gtest.h>

#include "testing/buffers_left.h"
#include "testing/row_programs.h"

namespace vyre::fuse::reside_tests {
namespace {

using testing::BufferCase;

const std::string kOneInvocation = R"(program shares {
  shape rows: u32
  shape cols: u32
  read x: f32[rows * cols]
  write s: f32[rows * cols]
  write out: f32[rows * cols]
  write more: f32[rows]
  workgroup [4u]
  grid [(rows + 3u) / 4u]
  let r: u32 = global_id(0)
  if r < rows {
    let row: u32 = r
    for c: u32 in 0u .. cols {
      s[row * cols + c] = exp(x[row * cols + c])
    }
    var total: f32 = 0f
    for d: u32 in 0u .. cols {
      total = total + s[row * cols + d]
    }
    for e: u32 in 0u .. cols {
      out[row * cols + e] = s[row * cols + e] / total
    }
    more[row] = total
  }
}
)";

const std::string kOneGroup = R"(program shares {
  shape rows: u32
  shape cols: u32
  tunable lanes: u32 = 4u
  read x: f32[rows * cols]
  write s: f32[rows * cols]
  write out: f32[rows * cols]
  write more: f32[rows]
  workgroup [lanes]
  grid [rows]
  let row: u32 = group_id(0)
  for c: u32 in local_id(0) .. cols step lanes {
    s[row * cols + c] = exp(x[row * cols + c])
  }
  barrier
  var total: f32 = 0f
  for d: u32 in 0u .. cols {
    total = total + s[row * cols + d]
  }
  barrier
  for e: u32 in local_id(0) .. cols step lanes {
    out[row * cols + e] = s[row * cols + e] / total
  }
  more[row] = total
}
)";

// What holds for both owners.
std::vector<BufferCase> common() {
  return {
      {"as it is", "", "", false},
      {"a scratch element behind the output's", "more[row] = total", "more[row] = s[row * cols]",
       true},
      {"an output that is not always stored", "out[row * cols + e] = s[row * cols + e] / total",
       "if total > 0f { out[row * cols + e] = s[row * cols + e] / total }", true},
      {"an output that is loaded", "more[row] = total", "more[row] = out[row * cols]", true},
      {"an output that is stored twice", "more[row] = total",
       "more[row] = total out[row * cols] = 1f", true},
      {"a scratch element of another row", "total + s[row * cols + d]",
       "total + s[(row + 1u) * cols + d]", true},
      {"another element in the same turn", "= s[row * cols + e] / total",
       "= s[row * cols + (cols - 1u - e)] / total", true},
      {"another length", "write s: f32[rows * cols]", "write s: f32[rows * cols + 1u]", true},
      {"the output's value in turns", "out[row * cols + e] = s[row * cols + e] / total",
       "for z: u32 in 0u .. 2u { out[row * cols + e] = s[row * cols + e] / total }", true},
  };
}

std::uint32_t variable_named(const ir::Program& program, const std::string& name) {
  const auto it = std::ranges::find(program.variables, name, &ir::Variable::name);
  return static_cast<std::uint32_t>(it - program.variables.begin());
}

void expect_left(const std::string& text, const BufferCase& c, bool is_group) {
  const ir::Program program = testing::parsed(testing::changed(text, c.from, c.to));
  const RowOwner owner =
      is_group ? RowOwner{{}, true} : RowOwner{{variable_named(program, "row")}, false};
  const ir::Program changed = reside(program, owner, testing::named(program, "s"));
  EXPECT_EQ(testing::has_buffer(changed, "s"), c.stays)
      << c.name << (is_group ? ", workgroups\n" : "\n") << ir::print(changed);
}

TEST(Reside, LetsRowsOfInvocationsLiveInTheOutput) {
  for (const BufferCase& c : common()) expect_left(kOneInvocation, c, false);
  const BufferCase table[] = {
      {"fewer elements of the output", "for e: u32 in 0u", "for e: u32 in 1u", true},
      {"fewer rows", "if r < rows", "if r + 1u < rows", true},
      {"a row of the next invocation",
       "out[row * cols + e] =", "out[(rows - 1u - row) * cols + e] =", true},
  };
  for (const BufferCase& c : table) expect_left(kOneInvocation, c, false);
}

TEST(Reside, LetsRowsOfWorkgroupsLiveInTheOutput) {
  for (const BufferCase& c : common()) expect_left(kOneGroup, c, true);
  const std::string last = "barrier\n  for e: u32 in local_id(0)";
  const BufferCase table[] = {
      {"no barrier between other lanes' loads and the store", last, "for e: u32 in local_id(0)",
       true},
      {"a barrier that is not for all turns", last,
       "for q: u32 in 0u .. 1u { barrier } for e: u32 in local_id(0)", true},
      {"fewer elements of the output", "for e: u32 in local_id(0)",
       "for e: u32 in local_id(0) + 1u", true},
      {"elements that all lanes store", "for e: u32 in local_id(0) .. cols step lanes",
       "for e: u32 in 0u .. cols", true},
  };
  for (const BufferCase& c : table) expect_left(kOneGroup, c, true);
}

}  // namespace
}  // namespace vyre::fuse::reside_tests
