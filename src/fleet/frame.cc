#include "fleet/frame.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/blake3.h"
#include "base/check.h"
#include "base/error.h"

namespace vyre::fleet {
namespace {

// The first byte is in no UTF-8 text.
constexpr std::string_view kMagic = "\xf7VYR";
constexpr std::size_t kChecked = 8;  // bytes of the head that the checksum covers, behind the magic
constexpr std::size_t kChecksumBytes = 8;

std::string checksum(std::string_view head, std::string_view content) {
  Blake3 hash;
  hash.update(head);
  hash.update(content);
  const Hash whole = hash.finish();
  return {reinterpret_cast<const char*>(whole.data()), kChecksumBytes};
}

enum class Look : std::uint8_t { whole, more, wrong };

struct Found {
  Look look = Look::wrong;
  Frame frame = {};
};

// What stands at the beginning of these bytes.
Found look_at(std::string_view bytes, std::size_t most) {
  const std::size_t magic = std::min(kMagic.size(), bytes.size());
  if (bytes.substr(0, magic) != kMagic.substr(0, magic)) return {Look::wrong};
  if (bytes.size() < kFrameHeadBytes) return {Look::more};
  const std::string_view head = bytes.substr(kMagic.size(), kChecked);
  const auto byte = [&](std::size_t k) { return static_cast<std::uint8_t>(head[k]); };
  std::size_t length = 0;
  for (std::size_t k = 0; k < 4; ++k) length |= std::size_t{byte(4 + k)} << (8 * k);
  const bool has_zeros = byte(1) == 0 && byte(2) == 0 && byte(3) == 0;
  if (byte(0) >= kFrameKinds || !has_zeros || length > most) return {Look::wrong};
  if (bytes.size() - kFrameHeadBytes < length) return {Look::more};
  const std::string_view content = bytes.substr(kFrameHeadBytes, length);
  if (checksum(head, content) != bytes.substr(kMagic.size() + kChecked, kChecksumBytes)) {
    return {Look::wrong};
  }
  return {Look::whole, {static_cast<FrameKind>(byte(0)), std::string(content)}};
}

}  // namespace

std::string encode(const Frame& frame) {
  VYRE_CHECK(frame.content.size() <= kMostFrameBytes);
  std::array<char, kChecked> head{static_cast<char>(frame.kind)};
  for (std::size_t k = 0; k < 4; ++k) {
    head[4 + k] = static_cast<char>(frame.content.size() >> (8 * k));
  }
  const std::string_view checked(head.data(), head.size());
  std::string out(kMagic);
  out.reserve(kFrameHeadBytes + frame.content.size());
  out += checked;
  out += checksum(checked, frame.content);
  out += frame.content;
  return out;
}

void FrameReader::add(std::string_view bytes) {
  if (error_) return;
  bytes_.erase(0, start_);
  start_ = 0;
  bytes_ += bytes;
}

Expected<std::optional<Frame>> FrameReader::next() {
  if (error_) return std::unexpected(*error_);
  if (!is_open_) return search();
  const std::string_view rest = std::string_view(bytes_).substr(start_);
  Found found = look_at(rest, kMostFrameBytes);
  if (found.look == Look::more) return std::nullopt;
  if (found.look == Look::wrong) return damaged("its stream is damaged");
  start_ += kFrameHeadBytes + found.frame.content.size();
  return std::move(found.frame);
}

// Frames are tried at every byte: a piece of a banner that looks like the head of one is no reason
// to skip the frame behind it.
Expected<std::optional<Frame>> FrameReader::search() {
  for (;;) {
    const std::string_view rest = std::string_view(bytes_).substr(start_);
    const std::size_t at = std::min(rest.find(kMagic[0]), rest.size());
    start_ += at;
    skipped_ += at;
    if (skipped_ > kMostSkippedBytes) return damaged("its stream has no frame of vyre");
    if (at == rest.size()) return std::nullopt;
    Found found = look_at(rest.substr(at), kMostFirstBytes);
    if (found.look == Look::more) return std::nullopt;
    if (found.look == Look::whole) {
      start_ += kFrameHeadBytes + found.frame.content.size();
      is_open_ = true;
      return std::move(found.frame);
    }
    ++start_;
    ++skipped_;
  }
}

std::unexpected<Error> FrameReader::damaged(std::string_view what) {
  error_ = Error{ErrorKind::backend, "", std::string(what)};
  bytes_.clear();
  start_ = 0;
  return std::unexpected(*error_);
}

}  // namespace vyre::fleet
