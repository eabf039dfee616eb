#include "base/blake3.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <vector>

#include "base/hex.h"
#include "testing/golden.h"

namespace vyre {
namespace {

// The input that the golden vectors are made of.
std::vector<std::uint8_t> ramp(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i % 251);
  return bytes;
}

TEST(Blake3, AgreesWithTheGoldenVectors) {
  const auto golden = testing::load_golden(VYRE_SOURCE_DIR, "blake3.json");
  ASSERT_FALSE(golden.at("cases").empty());
  for (const auto& item : golden.at("cases")) {
    const auto size = item.at("input_len").get<std::size_t>();
    EXPECT_EQ(to_hex(blake3(ramp(size))), item.at("hash").get<std::string>()) << size;
  }
}

TEST(Blake3, TakesTextAsItsBytes) {
  EXPECT_EQ(blake3("abc"), blake3(std::vector<std::uint8_t>{'a', 'b', 'c'}));
  EXPECT_EQ(blake3(""), Blake3{}.finish());
}

TEST(Blake3, CanBeAskedInBetween) {
  Blake3 hasher;
  std::string seen;
  for (int i = 0; i < 300; ++i) {
    const std::string part(static_cast<std::size_t>(i), static_cast<char>('a' + i % 26));
    hasher.update(part);
    seen += part;
    ASSERT_EQ(hasher.finish(), blake3(seen)) << i;
  }
}

TEST(Blake3, CopiesGoTheirOwnWay) {
  Blake3 prefix;
  prefix.update(ramp(1500));
  Blake3 copy = prefix;
  copy.update("more");
  EXPECT_EQ(prefix.finish(), blake3(ramp(1500)));
  EXPECT_NE(copy.finish(), prefix.finish());
}

TEST(Blake3, DoesNotCareHowTheInputIsCut) {
  EXPECT_TRUE(rc::check([] {
    const auto bytes = ramp(*rc::gen::inRange<std::size_t>(0, 9000));
    Blake3 hasher;
    std::span<const std::uint8_t> rest = bytes;
    while (!rest.empty()) {
      const auto largest = *rc::gen::element<std::size_t>(1, 64, 65, 1024, 1025, 4096);
      const auto taken = *rc::gen::inRange<std::size_t>(1, std::min(rest.size(), largest) + 1);
      hasher.update(rest.first(taken));
      rest = rest.subspan(taken);
    }
    RC_ASSERT(hasher.finish() == blake3(bytes));
  }));
}

}  // namespace
}  // namespace vyre
