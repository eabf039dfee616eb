#include "runtime/wishes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/sample_decisions.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;

Wish wish(std::vector<std::uint64_t> shape, std::string program = "saxpy") {
  const ir::Fingerprint fingerprint{1, 2, 3};
  return {.key = key_of(fingerprint, shape),
          .identity = "0123456789abcdef",
          .program = std::move(program),
          .fingerprint = fingerprint,
          .shape = std::move(shape),
          .ranks = 1};
}

TEST(Wishes, AreReadAsTheyWerePrinted) {
  const std::vector<Wish> wishes{wish({64, 64}), wish({UINT64_MAX}, "a \"b\"")};
  const auto again = parse_wishes(print_wishes(wishes), "f");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, wishes);
}

TEST(Wishes, NamesOfAnyBytesCanBePrinted) {
  const auto again = parse_wishes(print_wishes(std::array{wish({1}, "\xff\n\x01")}), "f");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->at(0).key, wish({1}).key);
}

TEST(Wishes, AreReadWithSuspicion) {
  const std::string right = print_wishes(std::array{wish({64})});
  const auto with = [&](const std::string& old, const std::string& fresh) {
    std::string out = right;
    return out.replace(out.find(old), old.size(), fresh);
  };
  struct Case {
    std::string text;
    const char* message;
  };
  const Case cases[] = {
      {"[]", "line 1"},
      {right + "nonsense", "\"f\": line 2: "},
      {with("\"key\"", "\"kee\""), "key"},
      {with("v2-", "v3-"), "v2-"},
      {with("\"64\"", "\"65\""), "key: expected the key of fingerprint and shape"},
      {with("\"64\"", "\"64x\""), "shape: expected numbers with x between them"},
      {with("\"64\"", "64"), "shape"},
      {with("0102030", "010203g"), "fingerprint: expected 64 hexadecimal digits"},
  };
  for (const Case& one : cases) {
    const auto read = parse_wishes(one.text, "f");
    ASSERT_FALSE(read) << one.text;
    EXPECT_THAT(read.error().message, HasSubstr(one.message)) << one.text;
  }
  std::string many;
  for (int k = 0; k < 4097; ++k) many += right;
  EXPECT_EQ(parse_wishes(many, "f").error().message, "\"f\": has more than 4096 wishes");
}

TEST(Wishes, ShapesAreNumbersWithinLimits) {
  EXPECT_EQ(parse_shape("1x2x3"), (std::vector<std::uint64_t>{1, 2, 3}));
  std::string long_one = "1";
  for (int k = 1; k < 256; ++k) long_one += "x1";
  EXPECT_TRUE(parse_shape(long_one));
  for (const std::string& wrong :
       {std::string(), std::string("x"), std::string("1xx2"), std::string("-1"), std::string("1 "),
        std::string("18446744073709551616"), long_one + "x1"}) {
    EXPECT_FALSE(parse_shape(wrong)) << wrong;
  }
}

TEST(Wishes, AreFilesNamedByTheirContent) {
  const testing::TemporaryFolder folder;
  const std::vector<Wish> wishes{wish({64, 64})};
  ASSERT_TRUE(save_wishes(folder / "box", {}));
  EXPECT_FALSE(std::filesystem::exists(folder / "box"));
  ASSERT_TRUE(save_wishes(folder / "box", wishes));
  ASSERT_TRUE(save_wishes(folder / "box", wishes));
  std::vector<std::filesystem::path> files;
  for (const auto& one : std::filesystem::directory_iterator(folder / "box")) {
    files.push_back(one.path());
  }
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].extension(), ".jsonl");
  EXPECT_EQ(testing::text_of(files[0]), print_wishes(wishes));
}

}  // namespace
}  // namespace vyre
