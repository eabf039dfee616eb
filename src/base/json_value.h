// Between JSON's plain values and ours.

#pragma once

#include "base/json_node.h"
#include "vyre/config.h"

namespace vyre {

// Fails, naming the place, on null, lists and objects, and on integers of more than 64 bits.
Expected<Value> to_value(const JsonNode& node);

Json to_json(const Value& value);

// An object, in the order of its entries.
Expected<Config> to_config(const JsonNode& node);
Json to_json(const Config& config);

}  // namespace vyre
