// The fields of a decision and of an identity, to and from TOML.

#pragma once

#include <optional>

#include "decisions/file_content.h"

namespace vyre {

// Readers take what they know out of `fields`, so that what is left is what they do not know; on
// failure `fields` is as it was.
Expected<Decision> read_decision(toml::Table& fields);
std::optional<Identity> read_identity(toml::Table& fields);

toml::Table fields_of(const Identity& identity);
void merge_fields(toml::Table& into, toml::Table&& fields);

std::optional<Extent> workgroup_from(const toml::Node& node);
toml::Node workgroup_node(const Extent& size);

}  // namespace vyre
