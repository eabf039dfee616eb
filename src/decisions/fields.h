// The fields of a decision and of an identity, to and from TOML.

#pragma once

#include <optional>

#include "decisions/file_content.h"

namespace vyre {

// Readers remove the fields that they know from `fields`, so that only unknown ones are left. After
// a failure `fields` is unchanged.
Expected<Decision> read_decision(toml::Table& fields);
std::optional<Identity> read_identity(toml::Table& fields);

toml::Table fields_of(const Identity& identity);
void merge_fields(toml::Table& into, toml::Table&& fields);

std::optional<Extent> workgroup_from(const toml::Node& node);
toml::Node workgroup_node(const Extent& size);

}  // namespace vyre
