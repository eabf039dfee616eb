#include "base/gzip.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace vyre {
namespace {

constexpr std::size_t kPlenty = 1 << 24;

std::string packed(std::string_view text) { return *gzip(text); }

TEST(Gzip, UnpackingUndoesPacking) {
  EXPECT_TRUE(rc::check("gunzip(gzip(x)) == x", [](const std::string& text) {
    RC_ASSERT(is_gzip(packed(text)));
    RC_ASSERT(gunzip(packed(text), kPlenty).value() == text);
  }));
  const std::string large(5'000'000, 'a');
  EXPECT_EQ(gunzip(packed(large), large.size()), large);
}

TEST(Gzip, MembersAreJoinedAndPaddingIgnored) {
  EXPECT_EQ(gunzip(packed("one ") + packed("") + packed("two"), kPlenty), "one two");
  EXPECT_EQ(gunzip(packed("one") + std::string(512, '\0'), kPlenty), "one");
}

TEST(Gzip, BadInputIsAnError) {
  const std::string good = packed("some text that is long enough to be cut");
  std::string damaged = good;
  damaged[12] = static_cast<char>(~damaged[12]);
  std::string wrong_sum = good;
  wrong_sum[wrong_sum.size() - 8] ^= 1;
  struct Case {
    const char* name;
    std::string packed;
    std::size_t limit;
    const char* message;
  };
  const Case cases[] = {
      {"cut", good.substr(0, good.size() - 5), kPlenty, "gzip: cut off; the file is incomplete"},
      {"header only", good.substr(0, 4), kPlenty, "gzip: cut off; the file is incomplete"},
      {"empty", "", kPlenty, "gzip: cut off; the file is incomplete"},
      {"second cut", good + good.substr(0, 20), kPlenty, "gzip: cut off; the file is incomplete"},
      {"garbage", good + "xyz", kPlenty, "gzip: 3 bytes follow the packed data"},
      {"checksum", wrong_sum, kPlenty, "gzip: damaged (incorrect data check)"},
      {"bomb", packed(std::string(10'000'000, '\0')), 1'000'000,
       "gzip: unpacks to more than the limit of 1000000 bytes"},
      {"bomb of members", good + good + good, 50,
       "gzip: unpacks to more than the limit of 50 bytes"},
  };
  for (const Case& c : cases) {
    const auto unpacked = gunzip(c.packed, c.limit);
    ASSERT_FALSE(unpacked) << c.name;
    EXPECT_EQ(unpacked.error().message, c.message) << c.name;
  }
  EXPECT_FALSE(gunzip(damaged, kPlenty));
  EXPECT_FALSE(is_gzip("PK"));
}

}  // namespace
}  // namespace vyre
