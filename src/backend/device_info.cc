#include <algorithm>

#include "base/blake3.h"
#include "base/byte_writer.h"
#include "base/hex.h"
#include "vyre/device.h"

namespace vyre {

std::string fingerprint(const DeviceInfo& info) {
  ByteWriter out;
  for (const std::string* text :
       {&info.backend, &info.platform, &info.name, &info.driver, &info.language}) {
    out.text(*text);
  }
  out.u32(info.limits.workgroup_items);
  for (const std::uint32_t size : info.limits.workgroup_size) out.u32(size);
  out.u64(info.limits.buffer_bytes);
  out.u64(info.limits.local_bytes);
  out.u32(info.limits.compute_units);
  return to_hex(blake3(out.bytes()));
}

std::string safe_name(const DeviceInfo& info) {
  constexpr std::size_t kMostBytes = 64;
  std::string out;
  for (const char c : info.backend + "-" + info.name) {
    const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '-';
    if (safe) {
      out += c;
    } else if (!out.ends_with('_')) {
      out += '_';
    }
  }
  out.resize(std::min(out.size(), kMostBytes));
  return out;
}

}  // namespace vyre
