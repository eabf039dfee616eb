#include "base/hex.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace vyre {
namespace {

TEST(Hex, WritesAndReadsBytes) {
  const std::vector<std::uint8_t> bytes{0x00, 0x1f, 0xa0, 0xff};
  EXPECT_EQ(to_hex(bytes), "001fa0ff");
  EXPECT_EQ(from_hex("001fa0ff"), bytes);
  EXPECT_EQ(from_hex("001FA0Ff"), bytes);
  EXPECT_EQ(from_hex(""), std::vector<std::uint8_t>{});
}

TEST(Hex, RefusesWhatIsNoHex) {
  for (const char* text :
       {"0", "0g", "g0", "0x", " 0", "0\n", "/0", ":0", "@0", "`0", "\xff\xff"}) {
    EXPECT_EQ(from_hex(text), std::nullopt) << text;
  }
}

TEST(Hex, RoundTrips) {
  EXPECT_TRUE(rc::check(
      [](const std::vector<std::uint8_t>& bytes) { RC_ASSERT(from_hex(to_hex(bytes)) == bytes); }));
}

}  // namespace
}  // namespace vyre
