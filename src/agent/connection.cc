#include "agent/connection.h"

#include <libpq-fe.h>
#include <poll.h>

#include <cerrno>
#include <cstdlib>
#include <map>

#include "base/error.h"
#include "base/text.h"

namespace vyre::agent {
namespace {

using Clock = std::chrono::steady_clock;

// libpq's messages have several lines.
std::string one_line(std::string_view message) {
  std::string out;
  for (const char c : message) {
    const bool is_space = c == '\n' || c == '\t' || c == ' ';
    if (!is_space) out += c;
    if (is_space && !out.empty() && out.back() != ' ') out += ' ';
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return escaped(out);
}

using Settings = std::map<std::string, std::string>;

Settings settings_of(PQconninfoOption* options) {
  Settings out;
  for (const PQconninfoOption* o = options; o != nullptr && o->keyword != nullptr; ++o) {
    if (o->val != nullptr && *o->val != '\0') out[o->keyword] = o->val;
  }
  PQconninfoFree(options);
  return out;
}

std::optional<Settings> parsed(const std::string& connect) {
  char* message = nullptr;
  PQconninfoOption* options = PQconninfoParse(connect.c_str(), &message);
  PQfreemem(message);
  if (options == nullptr) return std::nullopt;
  return settings_of(options);
}

// A list of several hosts counts as one over the network.
bool is_on_socket(const Settings& settings) {
  const auto host = settings.find("host");
  if (settings.contains("hostaddr")) return false;
  if (host == settings.end()) return true;
  const std::string& name = host->second;
  return (name.starts_with('/') || name.starts_with('@')) && !name.contains(',');
}

// False: the time is over, or the wait failed.
bool wait_for(int fd, short events, Clock::time_point until) {
  while (true) {
    const auto left = std::chrono::ceil<Milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    pollfd one{.fd = fd, .events = events, .revents = 0};
    const int ready = ::poll(&one, 1, static_cast<int>(left));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

bool connect_until(PGconn* connection, Clock::time_point until) {
  PostgresPollingStatusType status = PGRES_POLLING_WRITING;
  while (status != PGRES_POLLING_OK) {
    if (status == PGRES_POLLING_FAILED) return false;
    const short events = status == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    if (!wait_for(PQsocket(connection), events, until)) return false;
    status = PQconnectPoll(connection);
  }
  return true;
}

Answer answer_of(const PGresult& result) {
  Answer out;
  for (int row = 0; row < PQntuples(&result); ++row) {
    Row& values = out.rows.emplace_back();
    for (int column = 0; column < PQnfields(&result); ++column) {
      values.emplace_back(PQgetvalue(&result, row, column),
                          static_cast<std::size_t>(PQgetlength(&result, row, column)));
    }
  }
  return out;
}

}  // namespace

Expected<void> check_target(const std::string& connect) {
  const auto settings = parsed(connect);
  if (!settings) {
    return bad_inputs(
        "the connection string cannot be read; write it as \"service=NAME\", \"host=HOST "
        "dbname=NAME user=NAME\" or postgresql://USER@HOST/NAME");
  }
  if (settings->contains("password") || settings->contains("sslpassword")) {
    return bad_inputs(
        "the connection string has a password, which everybody on this machine can see; put it "
        "into ~/.pgpass or a service file, and change it");
  }
  return {};
}

std::string set_safe_defaults(const std::string& connect) {
  const Settings given = parsed(connect).value_or(Settings{});
  if (const auto service = given.find("service"); service != given.end()) {
    ::setenv("PGSERVICE", service->second.c_str(), 1);  // PQconndefaults then reads it
  }
  ::setenv("PGSSLMODE", "verify-full", 0);
  Settings settings = given;
  settings.merge(settings_of(PQconndefaults()));
  if (is_on_socket(settings)) return "";
  // Only SCRAM can bind to a TLS channel, so this refuses every weaker way to send a password.
  ::setenv("PGCHANNELBINDING", "require", 0);
  const std::string& mode = settings["sslmode"];
  if (mode == "verify-full") return "";
  return fmt::format(
      "sslmode is {}, so that another server could pose as this one; use verify-full", mode);
}

void Connection::Closer::operator()(pg_conn* connection) const { PQfinish(connection); }

Connection::Connection(std::unique_ptr<pg_conn, Closer> connection, Milliseconds query_limit)
    : connection_(std::move(connection)), query_limit_(query_limit) {}
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;
Connection::~Connection() = default;

Expected<Connection> Connection::open(const Target& target) {
  VYRE_TRY_VOID(check_target(target.connect));
  const char* const names[] = {"fallback_application_name", "dbname", nullptr};
  const char* const values[] = {"vyre-agent", target.connect.c_str(), nullptr};
  constexpr int kReadDbname = 1;  // as a connection string
  std::unique_ptr<pg_conn, Closer> connection(PQconnectStartParams(names, values, kReadDbname));
  if (connection == nullptr) return backend_error("out of memory");
  const auto until = Clock::now() + target.connect_limit;
  if (PQstatus(connection.get()) == CONNECTION_BAD || !connect_until(connection.get(), until)) {
    const std::string why = one_line(PQerrorMessage(connection.get()));
    return backend_error(
        "the server cannot be reached: {}",
        why.empty() ? fmt::format("no answer for {} ms", target.connect_limit.count()) : why);
  }
  PQsetnonblocking(connection.get(), 1);
  // Notices are for people at a prompt.
  PQsetNoticeProcessor(connection.get(), [](void*, const char*) {}, nullptr);
  return Connection(std::move(connection), target.query_limit);
}

bool Connection::is_open() const {
  return !is_lost_ && PQstatus(connection_.get()) == CONNECTION_OK;
}

std::unexpected<Error> Connection::lost(std::string_view why) {
  is_lost_ = true;
  return backend_error("the server is gone: {}", one_line(why));
}

Expected<Answer> Connection::query(const std::string& statement,
                                   const std::vector<std::string>& values) {
  std::vector<const char*> texts;
  for (const std::string& value : values) texts.push_back(value.c_str());
  if (PQsendQueryParams(connection_.get(), statement.c_str(), static_cast<int>(texts.size()),
                        nullptr, texts.data(), nullptr, nullptr, 0) == 0) {
    return lost(PQerrorMessage(connection_.get()));
  }
  return finish();
}

Expected<void> Connection::run(const std::string& statements) {
  if (PQsendQuery(connection_.get(), statements.c_str()) == 0) {
    return lost(PQerrorMessage(connection_.get()));
  }
  VYRE_TRY_VOID(finish());
  return {};
}

// Sends what is left to send, and waits until a result can be had without waiting.
Expected<void> Connection::pump(std::chrono::steady_clock::time_point until) {
  PGconn* const c = connection_.get();
  while (true) {
    const int unsent = PQflush(c);
    if (unsent < 0) return lost(PQerrorMessage(c));
    if (unsent == 0 && PQisBusy(c) == 0) return {};
    const auto events = static_cast<short>(unsent > 0 ? POLLIN | POLLOUT : POLLIN);
    if (!wait_for(PQsocket(c), events, until)) return lost("it does not answer");
    if (PQconsumeInput(c) == 0) return lost(PQerrorMessage(c));
  }
}

// Reads all results. The rows are those of the last one; an error of any of them is the answer's.
Expected<Answer> Connection::finish() {
  PGconn* const c = connection_.get();
  const auto until = Clock::now() + query_limit_;
  Answer answer;
  std::optional<Error> error;
  while (true) {
    VYRE_TRY_VOID(pump(until));
    const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQgetResult(c), PQclear);
    if (result == nullptr) break;
    const ExecStatusType status = PQresultStatus(result.get());
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
      answer = answer_of(*result);
      continue;
    }
    const char* const code = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
    error = Error{ErrorKind::rejected, code == nullptr ? "" : code,
                  "the server refuses: " + one_line(PQresultErrorMessage(result.get()))};
  }
  if (PQstatus(c) != CONNECTION_OK) return lost(error ? error->message : PQerrorMessage(c));
  if (error) return std::unexpected(*error);
  return answer;
}

Expected<void> Connection::wait(Milliseconds limit, int wake) {
  PGconn* const c = connection_.get();
  // libpq may have read a notification together with an earlier answer.
  bool is_notified = false;
  const auto take_notifications = [&] {
    while (PGnotify* one = PQnotifies(c)) {
      is_notified = true;
      PQfreemem(one);
    }
  };
  take_notifications();
  if (is_notified) return {};
  pollfd fds[] = {{.fd = PQsocket(c), .events = POLLIN, .revents = 0},
                  {.fd = wake, .events = POLLIN, .revents = 0}};
  if (::poll(fds, 2, static_cast<int>(limit.count())) < 0 && errno != EINTR) {
    return lost("the wait failed");
  }
  if (fds[0].revents == 0) return {};
  if (PQconsumeInput(c) == 0) return lost(PQerrorMessage(c));
  take_notifications();
  if (PQstatus(c) != CONNECTION_OK) return lost(PQerrorMessage(c));
  return {};
}

}  // namespace vyre::agent
