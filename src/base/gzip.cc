#include "base/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "base/error.h"

namespace vyre {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib: the largest window, and the gzip wrapper
constexpr int kMemoryLevel = 8;       // zlib's own default
constexpr std::size_t kBufferBytes = 1 << 18;
constexpr std::size_t kMostAtOnce = std::numeric_limits<uInt>::max();

Bytef* input_of(std::string_view bytes) {
  // zlib's interface predates const; it does not write to its input.
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
}

class Inflater {
 public:
  Inflater() : ready_(inflateInit2(&stream_, kGzipWindow) == Z_OK) {}
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  bool ready() const { return ready_; }

  // Unpacks the member at the start of `packed`, appends it to `out` and returns what follows.
  Expected<std::string_view> member(std::string_view packed, std::size_t max_bytes,
                                    std::string& out) {
    inflateReset(&stream_);
    for (;;) {
      VYRE_TRY(const bool ended, step(packed, out));
      if (out.size() > max_bytes) {
        return bad_inputs("gzip: unpacks to more than the limit of {} bytes", max_bytes);
      }
      if (ended) return packed;
    }
  }

 private:
  // One call of inflate; true at the end of the member.
  Expected<bool> step(std::string_view& packed, std::string& out) {
    const std::size_t given = std::min(packed.size(), kMostAtOnce);
    stream_.next_in = input_of(packed);
    stream_.avail_in = static_cast<uInt>(given);
    stream_.next_out = buffer_.data();
    stream_.avail_out = static_cast<uInt>(buffer_.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    packed.remove_prefix(given - stream_.avail_in);
    out.append(reinterpret_cast<const char*>(buffer_.data()), buffer_.size() - stream_.avail_out);
    if (status == Z_STREAM_END) return true;
    if (status == Z_OK) return false;
    if (status == Z_BUF_ERROR) return bad_inputs("gzip: cut off; the file is incomplete");
    return bad_inputs("gzip: damaged ({})", stream_.msg != nullptr ? stream_.msg : zError(status));
  }

  z_stream stream_{};
  std::array<Bytef, kBufferBytes> buffer_;
  bool ready_;
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Expected<std::string> gunzip(std::string_view packed, std::size_t max_bytes) {
  const auto inflater = std::make_unique<Inflater>();
  if (!inflater->ready()) return bad_inputs("gzip: no memory to unpack");
  std::string out;
  do {
    VYRE_TRY(packed, inflater->member(packed, max_bytes, out));
  } while (is_gzip(packed));
  if (packed.find_first_not_of('\0') != std::string_view::npos) {
    return bad_inputs("gzip: {} bytes follow the packed data", packed.size());
  }
  return out;
}

Expected<std::string> gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return bad_inputs("gzip: no memory to pack");
  }
  std::string out;
  std::string buffer(kBufferBytes, '\0');
  int status = Z_OK;
  while (status == Z_OK || status == Z_BUF_ERROR) {
    const std::size_t given = std::min(bytes.size(), kMostAtOnce);
    stream.next_in = input_of(bytes);
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = deflate(&stream, given == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    bytes.remove_prefix(given - stream.avail_in);
    out.append(buffer, 0, buffer.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

}  // namespace vyre
