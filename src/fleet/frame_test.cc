// Frames in streams that launchers have added to, cut and damaged.

#include "fleet/frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace vyre::fleet {
namespace {

std::vector<Frame> frames_in(FrameReader& reader) {
  std::vector<Frame> out;
  for (;;) {
    auto next = reader.next();
    if (!next || !*next) return out;
    out.push_back(**std::move(next));
  }
}

std::vector<Frame> some_frames() {
  return {{FrameKind::hello, "{}"},
          {FrameKind::beat, ""},
          {FrameKind::data, std::string(100'000, '\xf7')},
          {FrameKind::answer, encode({FrameKind::bye, "a frame within"})},
          {FrameKind::bye, ""}};
}

std::string stream_of(const std::vector<Frame>& frames) {
  std::string out;
  for (const Frame& frame : frames) out += encode(frame);
  return out;
}

TEST(Frames, AreTheSameHoweverTheStreamIsCut) {
  const std::string stream = stream_of(some_frames());
  for (const std::size_t piece : {1UL, 7UL, 4096UL, stream.size()}) {
    FrameReader reader;
    std::vector<Frame> got;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      reader.add(std::string_view(stream).substr(at, piece));
      for (Frame& frame : frames_in(reader)) got.push_back(std::move(frame));
    }
    EXPECT_EQ(got, some_frames()) << piece;
  }
}

// A banner may have the magic number in it, and the head of a frame that never was.
TEST(Frames, ComeBehindAnythingThatALauncherPrints) {
  const std::string whole = encode({FrameKind::hello, "{}"});
  const std::string banners[] = {"Welcome to node 7!\n", "\xf7VYR", "\xf7VYR\xf7VYR\xf7\xf7",
                                 whole.substr(0, whole.size() - 1),
                                 encode({FrameKind::data, std::string(4000, 'x')}).substr(0, 40)};
  for (const std::string& banner : banners) {
    FrameReader reader;
    reader.add(banner + whole);
    std::vector<Frame> got = frames_in(reader);
    // The head of a long frame is believed until as many bytes have come: the opening is repeated.
    for (int k = 0; k < 400 && got.empty(); ++k) {
      reader.add(whole);
      got = frames_in(reader);
    }
    ASSERT_FALSE(got.empty()) << banner;
    EXPECT_EQ(got.front(), (Frame{FrameKind::hello, "{}"}));
  }
}

TEST(Frames, DamageBehindTheFirstEndsTheStream) {
  const std::string first = encode({FrameKind::hello, "{}"});
  const std::string second = encode({FrameKind::answer, "0123456789"});
  for (std::size_t at = 0; at < second.size(); ++at) {
    std::string bad = second;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    FrameReader reader;
    reader.add(first + bad + std::string(100, '\0') + second);
    const std::vector<Frame> got = frames_in(reader);
    ASSERT_LE(got.size(), 1U) << "byte " << at;
    // A length that grew asks for more first, within its limit.
    reader.add(std::string(kMostFrameBytes, '\0'));
    const auto next = reader.next();
    ASSERT_FALSE(next) << "byte " << at;
    EXPECT_EQ(next.error().message, "its stream is damaged");
    reader.add(second);
    EXPECT_FALSE(reader.next()) << "an error stays one";
  }
}

TEST(Frames, ALengthBeyondTheLimitIsRefusedAtOnce) {
  FrameReader reader;
  reader.add(encode({FrameKind::hello, "{}"}));
  ASSERT_EQ(frames_in(reader).size(), 1U);
  std::string huge = encode({FrameKind::data, "x"});
  huge[11] = '\x7f';
  reader.add(huge.substr(0, kFrameHeadBytes));
  EXPECT_FALSE(reader.next());
}

TEST(Frames, AStreamWithoutAnyIsGivenUp) {
  FrameReader reader;
  for (std::size_t k = 0; k <= kMostSkippedBytes >> 16U; ++k) {
    reader.add(std::string(1U << 16U, 'x'));
    static_cast<void>(frames_in(reader));
  }
  const auto next = reader.next();
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().message, "its stream has no frame of vyre");
}

TEST(Frames, AnyBytesAreSafe) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    FrameReader reader;
    std::string stream = stream_of({{FrameKind::hello, "{}"}, {FrameKind::start, "abc"}});
    for (int k = 0; k < 3; ++k) {
      stream[random() % stream.size()] = static_cast<char>(random());
    }
    reader.add(stream);
    EXPECT_LE(frames_in(reader).size(), 2U);
  }
}

}  // namespace
}  // namespace vyre::fleet
