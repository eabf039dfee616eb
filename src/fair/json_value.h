// Between JSON's plain values and ours.

#pragma once

#include "fair/json.h"
#include "vyre/config.h"

namespace vyre::fair {

// Fails, naming the place, on null, lists and objects, and on integers of more than 64 bits.
Expected<Value> to_value(const Node& node);

Json to_json(const Value& value);

}  // namespace vyre::fair
