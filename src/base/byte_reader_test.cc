#include "base/byte_reader.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/byte_writer.h"

namespace vyre {
namespace {

std::string written() {
  ByteWriter out;
  out.u8(7);
  out.u32(0xfedcba98U);
  out.u64(0x0123456789abcdefU);
  out.text("words");
  out.u64(2);
  out.raw(std::array<std::uint8_t, 2>{1, 2});
  return {out.bytes().begin(), out.bytes().end()};
}

// Whether all of it could be read.
bool reads(std::string_view bytes) {
  ByteReader in(bytes);
  std::array<std::uint8_t, 2> pair{};
  const bool is_same = in.u8() == 7 && in.u32() == 0xfedcba98U && in.u64() == 0x0123456789abcdefU &&
                       in.text(5) == "words" && in.count(2, 1) == 2;
  in.raw(pair);
  return is_same && pair == std::array<std::uint8_t, 2>{1, 2} && in.is_at_end();
}

TEST(ByteReader, ReadsWhatWasWritten) { EXPECT_TRUE(reads(written())); }

TEST(ByteReader, EveryPrefixFailsAndMoreIsSeen) {
  const std::string whole = written();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(reads(std::string_view(whole).substr(0, size))) << size;
  }
  EXPECT_FALSE(reads(whole + "x"));
}

TEST(ByteReader, LimitsHold) {
  ByteWriter out;
  out.text("words");
  out.text("x");
  const std::string bytes(out.bytes().begin(), out.bytes().end());
  ByteReader in(bytes);
  EXPECT_EQ(in.text(4), "");
  EXPECT_TRUE(in.has_failed());
  EXPECT_EQ(in.text(4), "") << "once it has failed it goes on failing";
  EXPECT_EQ(in.u64(), 0U);

  ByteReader too_many(bytes);
  EXPECT_EQ(too_many.count(4, 1), 0U);
  EXPECT_TRUE(too_many.has_failed());
  ByteReader too_large(bytes);
  EXPECT_EQ(too_large.count(5, 4), 0U) << "5 records of 4 bytes are not there";
  EXPECT_TRUE(too_large.has_failed());
  ByteReader fits(bytes);
  EXPECT_EQ(fits.count(5, 2), 5U);
}

}  // namespace
}  // namespace vyre
