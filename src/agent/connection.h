// Connection: one session with the database, and the only file that knows libpq.
//
// No call waits for longer than its limit: a server that is cut off, stopped or hung is an error of
// kind backend, and the connection is then of no more use (`is_open`). Values go as parameters,
// never as part of a statement. One thread uses a Connection at a time.

#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/error.h"

struct pg_conn;

namespace vyre::agent {

using Milliseconds = std::chrono::milliseconds;

// Which server, as libpq's connection strings say it: "service=vyre", "host=db dbname=fleet", a
// URI; empty: as the environment says (PGSERVICE, PGHOST, ...).
struct Target {
  std::string connect = {};
  Milliseconds connect_limit{10'000};
  Milliseconds query_limit{30'000};
};

// bad_inputs: the string cannot be read, or has a password in it. Arguments of a process are for
// everybody to see; a password belongs into ~/.pgpass or a service file. The message does not
// repeat the string.
Expected<void> check_target(const std::string& connect);

// Lets TLS with a verified server and SCRAM be the default of this process: sets PGSSLMODE and,
// unless the server is on this machine and reached through a socket of the file system,
// PGCHANNELBINDING, where they are not set. The string, the service file and the environment may
// say otherwise. Returns a warning, if the result does not verify the server; else an empty text.
// Before any other thread is started.
std::string set_safe_defaults(const std::string& connect);

// The rows of an answer, as text. Null values are empty.
using Row = std::vector<std::string>;
struct Answer {
  std::vector<Row> rows = {};
};

class Connection {
 public:
  static Expected<Connection> open(const Target& target);
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;
  ~Connection();

  // One statement with $1, $2 ... A refusal of the server (no right, a value that a check forbids)
  // is an error of kind rejected with its code, for example "42501", and the session goes on.
  Expected<Answer> query(const std::string& statement, const std::vector<std::string>& values = {});
  // Several statements at once, without values.
  Expected<void> run(const std::string& statements);

  // Waits until a notification came, `limit` is over, or `wake` can be read (-1: none). An error:
  // the server is gone.
  Expected<void> wait(Milliseconds limit, int wake = -1);

  bool is_open() const;

 private:
  struct Closer {
    void operator()(pg_conn* connection) const;
  };
  Connection(std::unique_ptr<pg_conn, Closer> connection, Milliseconds query_limit);

  Expected<void> pump(std::chrono::steady_clock::time_point until);
  Expected<Answer> finish();
  std::unexpected<Error> lost(std::string_view why);

  std::unique_ptr<pg_conn, Closer> connection_;
  Milliseconds query_limit_;
  bool is_lost_ = false;
};

}  // namespace vyre::agent
