#include "agent/schema.h"

#include "agent/numbers.h"
#include "base/error.h"

namespace vyre::agent {
namespace {

// Any number that no other program locks.
constexpr const char* kLock = "select pg_advisory_xact_lock(7668862120081507943)";

Expected<Migrated> take_steps(Connection& connection, std::int64_t upto) {
  VYRE_TRY_VOID(connection.query(kLock));
  VYRE_TRY(const std::int64_t from, schema_of(connection));
  if (from > upto) {
    return bad_inputs(
        "the database has schema {}, and this vyre-agent knows {}: nothing was "
        "changed; use a newer vyre-agent",
        from, upto);
  }
  for (std::int64_t step = from; step < upto; ++step) {
    VYRE_TRY_VOID(
        connection.run(std::string(embedded_steps()[static_cast<std::size_t>(step)].bytes)));
  }
  if (from < upto) {
    VYRE_TRY_VOID(connection.query("update vyre.schema set version = $1", {std::to_string(upto)}));
  }
  return Migrated{from, upto};
}

}  // namespace

std::int64_t newest_schema() { return static_cast<std::int64_t>(embedded_steps().size()); }

Expected<std::int64_t> schema_of(Connection& connection) {
  VYRE_TRY(const Answer there,
           connection.query("select 1 from pg_catalog.pg_namespace where nspname = 'vyre'"));
  if (there.rows.empty()) return 0;
  const auto answer = connection.query("select version from vyre.schema");
  if (!answer && answer.error().kind == ErrorKind::backend) return std::unexpected(answer.error());
  if (answer && answer->rows.size() == 1) {
    if (const auto version = to_number(answer->rows[0][0])) {
      return static_cast<std::int64_t>(*version);
    }
  }
  return bad_inputs(
      "the database has a schema vyre that this user cannot read or that is not ours: "
      "{}",
      answer ? "it has no version" : answer.error().message);
}

Expected<void> check_schema(Connection& connection) {
  VYRE_TRY(const std::int64_t version, schema_of(connection));
  if (version == newest_schema()) return {};
  if (version > newest_schema()) {
    return bad_inputs(
        "the database has schema {}, and this vyre-agent knows {}; use a newer "
        "vyre-agent",
        version, newest_schema());
  }
  return bad_inputs(
      "the database has {}, and this vyre-agent needs {}; its owner runs `vyre-agent "
      "migrate`",
      version == 0 ? "no schema of vyre" : fmt::format("schema {}", version), newest_schema());
}

Expected<Migrated> migrate(Connection& connection, std::int64_t upto) {
  VYRE_TRY_VOID(connection.run("begin"));
  auto done = take_steps(connection, upto);
  if (!done) {
    // Its failure tells nothing new: what was not committed is undone in any case.
    if (connection.is_open()) static_cast<void>(connection.run("rollback"));
    return done;
  }
  VYRE_TRY_VOID(connection.run("commit"));
  return done;
}

}  // namespace vyre::agent
