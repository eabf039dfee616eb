// The schema of the database: made, upgraded and checked.
//
// src/agent/sql/ has one file per step, in order; step n leads from schema n - 1 to schema n. Steps
// only add: tables, columns, functions. A schema that this program does not know is never touched.

#pragma once

#include <cstdint>
#include <span>

#include "agent/connection.h"
#include "base/embedded_file.h"

namespace vyre::agent {

std::span<const EmbeddedFile> embedded_steps();

// The schema that this program works with: the number of steps.
std::int64_t newest_schema();

// 0: there is none. bad_inputs: there is something else in its place.
Expected<std::int64_t> schema_of(Connection& connection);

// bad_inputs, with the remedy, unless the database has exactly newest_schema().
Expected<void> check_schema(Connection& connection);

struct Migrated {
  std::int64_t from = 0;
  std::int64_t to = 0;
};
// Takes the missing steps up to `upto`, all of them or none. Two that do so at once wait for each
// other. Needs the rights of the database's owner, and the right to create roles unless they exist.
Expected<Migrated> migrate(Connection& connection, std::int64_t upto = newest_schema());

}  // namespace vyre::agent
