#include "vyre/substrate/workgroup.h"

namespace vyre {

Extent Tuner::resolve(const Key& key) const {
  const auto size = workgroup_of(cache_.read(cache_.find(key)).config);
  return size.value_or(default_workgroup_size(limits_));
}

Offer Tuner::record_decision(const V1Shape& shape, const Extent& size) {
  return record_key_decision(v1_key(shape), size);
}

Offer Tuner::record_key_decision(const Key& key, const Extent& size) {
  return cache_.offer(key, {.config = workgroup_config(size)});
}

}  // namespace vyre
