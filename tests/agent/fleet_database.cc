#include "agent/fleet_database.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "agent/schema.h"

namespace vyre::testing {
namespace {

std::string free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t bytes = sizeof address;
  EXPECT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), bytes), 0);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &bytes);
  ::close(fd);
  return std::to_string(ntohs(address.sin_port));
}

constexpr const char* kScript = VYRE_SOURCE_DIR "/tests/agent/postgres";
constexpr const char* kUsers[] = {"owner", "reader", "wisher", "tuner"};

agent::Connection connection_to(const std::string& connect) {
  auto opened = agent::Connection::open({.connect = connect});
  EXPECT_TRUE(opened) << opened.error().message;
  return *std::move(opened);
}

}  // namespace

FleetServer& FleetServer::get() {
  static FleetServer server;
  return server;
}

FleetServer::FleetServer() : port_(free_port()) {
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
  std::filesystem::create_directory(folder());
  constexpr const char* kConnections = "300";
  const CommandResult made = run_command({kScript, "make", folder().string(), port_, kConnections});
  if (made.exit_code != 0) {
    missing_ = "no server (tools/setup --all): " + made.err;
    EXPECT_TRUE(made.exit_code >= 125) << made.err;
    return;
  }
  start();
  make_logins();
}

void FleetServer::make_logins() {
  auto admin = connection_to(connect("admin", "postgres"));
  const std::filesystem::path passwords = folder_ / "pgpass";
  std::ofstream out(passwords);
  for (const std::string user : kUsers) {
    out << "localhost:*:*:" << user << ":secret of " << user << "\n";
    EXPECT_TRUE(admin.run("create role " + user + " login password 'secret of " + user + "'"));
  }
  EXPECT_TRUE(admin.run("alter role owner createrole; create role lax login"));
  out.close();
  std::filesystem::permissions(passwords, std::filesystem::perms(0600));
  ::setenv("PGPASSFILE", passwords.c_str(), 1);
  ::setenv("PGSSLROOTCERT", (folder() / "ca.crt").c_str(), 1);
  EXPECT_EQ(agent::set_safe_defaults(connect("reader", "postgres")), "");
}

std::string FleetServer::connect(const std::string& user, const std::string& database) const {
  const std::string host = user == "admin"
                               ? "channel_binding=prefer host=" + (folder() / "socket").string()
                               : "host=localhost hostaddr=127.0.0.1";
  return host + " port=" + port_ + " dbname=" + database + " user=" + user;
}

void FleetServer::start() {
  server_ = std::make_unique<Process>(std::vector<std::string>{kScript, "run", folder().string()},
                                      folder_ / "run.log");
  EXPECT_TRUE(becomes_true([&] {
    return agent::Connection::open({.connect = connect("admin", "postgres")}).has_value();
  })) << server_->output();
}

void FleetServer::stop() { server_->stop(); }

// Killed, it would leave a piece of shared memory behind.
FleetServer::~FleetServer() {
  if (server_ && server_->is_running()) stop();
}

void AgentTest::SetUp() {
  if (!server().missing().empty()) GTEST_SKIP() << server().missing();
  static int tests = 0;
  database_ = "fleet" + std::to_string(++tests);
  auto admin = connection_to(server().connect("admin", "postgres"));
  ASSERT_TRUE(admin.run("create database " + database_ + " owner owner"));
  auto owner = session("owner");
  const auto migrated = agent::migrate(owner);
  ASSERT_TRUE(migrated) << migrated.error().message;
  for (const std::string role : {"reader", "wisher", "tuner"}) {
    ASSERT_TRUE(admin.run("grant vyre_" + role + " to " + role));
  }
}

agent::Connection AgentTest::session(const std::string& user) const {
  return connection_to(as(user));
}

agent::Store AgentTest::store(const std::string& user) const {
  auto opened = agent::Store::open({.connect = as(user)});
  EXPECT_TRUE(opened) << opened.error().message;
  return *std::move(opened);
}

std::string AgentTest::ask(const std::string& statement) const {
  const auto answer = session("admin").query(statement);
  EXPECT_TRUE(answer) << answer.error().message;
  return answer && !answer->rows.empty() ? answer->rows[0][0] : "";
}

std::filesystem::path AgentTest::node(const std::string& name) const {
  const std::filesystem::path out = folder_ / name;
  for (const char* part : {"fleet", "wishes", "cache"}) {
    std::filesystem::create_directories(out / part);
  }
  return out;
}

std::vector<std::string> AgentTest::argv(const std::string& user,
                                         std::vector<std::string> words) const {
  words.insert(words.begin(), VYRE_AGENT);
  words.insert(words.end(), {"--connect", as(user)});
  return words;
}

CommandResult AgentTest::agent(const std::string& name, const std::string& user,
                               std::vector<std::string> words) const {
  return run_command(argv(user, std::move(words)),
                     {.timeout = std::chrono::milliseconds(120'000),
                      .environment = {"XDG_CACHE_HOME=" + (node(name) / "cache").string()}});
}

std::unique_ptr<Process> AgentTest::agent_beside(const std::string& name, const std::string& user,
                                                 const std::vector<std::string>& words) const {
  const std::string cache = "XDG_CACHE_HOME=" + (node(name) / "cache").string();
  return std::make_unique<Process>(argv(user, words), node(name) / (words.at(0) + ".log"),
                                   std::vector<std::string>{cache});
}

}  // namespace vyre::testing
