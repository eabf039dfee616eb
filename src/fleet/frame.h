// Frame: one message between a campaign and a node, as bytes of a stream that others carry.
//
// Launchers add to such a stream (banners, warnings), lose its beginning, and cut it. So a frame is
// a magic number, its kind, its length, a checksum, and so many bytes. Before the first frame
// anything is skipped; behind it, anything that is not the next frame is an error, and the stream
// is given up.
//
// Numbers are little endian. Bytes 0 to 3: magic; 4: kind; 5 to 7: zeros; 8 to 11: length of the
// content; 12 to 19: the first bytes of BLAKE3 over bytes 4 to 11 and the content.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vyre/error.h"

namespace vyre::fleet {

enum class FrameKind : std::uint8_t {
  hello,     // campaign: speaks first, and again until it is greeted
  greeting,  // node: its device
  beat,      // both: still there
  job,       // campaign: a problem
  want,      // node: data of it that the node does not have
  data,      // campaign: a piece of that data
  ready,     // node: the default configuration has run
  start,     // campaign: one piece of work
  recall,    // campaign: work that was done elsewhere
  give_up,   // campaign: all work that is under way
  answer,    // node: to a piece of work
  error,     // node: it cannot go on with this job
  bye,       // campaign: the node ends
};
inline constexpr std::uint8_t kFrameKinds = 13;

struct Frame {
  FrameKind kind = FrameKind::beat;
  std::string content = {};

  bool operator==(const Frame&) const = default;
};

inline constexpr std::size_t kFrameHeadBytes = 20;
inline constexpr std::size_t kMostFrameBytes = std::size_t{16} << 20U;  // of content
// While the first frame is looked for: a length that stands in a banner by chance must not make the
// reader wait for megabytes. A `hello` and a `beat` are shorter.
inline constexpr std::size_t kMostFirstBytes = 4096;
inline constexpr std::size_t kMostSkippedBytes = std::size_t{16} << 20U;

// At most kMostFrameBytes of content.
std::string encode(const Frame& frame);

// Takes bytes as they come and gives whole frames.
class FrameReader {
 public:
  void add(std::string_view bytes);

  // None: more bytes are needed. An error: the stream is not, or no longer, one of frames; every
  // later call has the same error.
  Expected<std::optional<Frame>> next();

  // Whether there has been a frame.
  bool is_open() const { return is_open_; }

 private:
  Expected<std::optional<Frame>> search();
  std::unexpected<Error> damaged(std::string_view what);

  std::string bytes_;
  std::size_t start_ = 0;  // of what is not yet used
  std::size_t skipped_ = 0;
  bool is_open_ = false;
  std::optional<Error> error_ = {};
};

}  // namespace vyre::fleet
