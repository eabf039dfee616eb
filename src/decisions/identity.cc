#include "base/blake3.h"
#include "base/byte_writer.h"
#include "base/hex.h"
#include "vyre/decisions.h"

namespace vyre {

Identity identity_of(const DeviceInfo& info) {
  const DeviceLimits& limits = info.limits;
  return {.backend = info.backend,
          .platform = info.platform,
          .device = info.name,
          .driver = info.driver,
          .language = info.language,
          .limits = {limits.workgroup_items, limits.workgroup_size[0], limits.workgroup_size[1],
                     limits.workgroup_size[2], static_cast<std::int64_t>(limits.buffer_bytes),
                     static_cast<std::int64_t>(limits.local_bytes), limits.compute_units}};
}

std::string id_of(const Identity& identity) {
  ByteWriter bytes;
  for (const std::string* text : {&identity.backend, &identity.platform, &identity.device,
                                  &identity.driver, &identity.language}) {
    bytes.text(*text);
  }
  for (const std::int64_t limit : identity.limits) bytes.u64(static_cast<std::uint64_t>(limit));
  const Hash hash = blake3(bytes.bytes());
  return to_hex(std::span(hash).first(8));
}

Config workgroup_config(const Extent& size) {
  Config out;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    out.set(kWorkgroupNames[axis], std::int64_t{size[axis]});
  }
  return out;
}

std::optional<Extent> workgroup_of(const Config& config) {
  Extent out{1, 1, 1};
  bool any = false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Value* value = config.find(kWorkgroupNames[axis]);
    if (value == nullptr) continue;
    const auto* size = std::get_if<std::int64_t>(value);
    if (size == nullptr || *size < 1 || !std::in_range<std::uint32_t>(*size)) return std::nullopt;
    out[axis] = static_cast<std::uint32_t>(*size);
    any = true;
  }
  return any ? std::optional(out) : std::nullopt;
}

std::string_view to_string(Layer layer) {
  switch (layer) {
    case Layer::embedded:
      return "embedded";
    case Layer::system:
      return "system";
    case Layer::user:
      return "user";
  }
  return "unknown";
}

}  // namespace vyre
