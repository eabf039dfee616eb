// A PostgreSQL server of the tests' own, and a fixture whose every test has a database there.
//
// The server is started once for the program (tests/agent/postgres) and ends with it. Without
// PostgreSQL every test is skipped. Logins: owner, who owns the databases, and reader, wisher and
// tuner, who have the roles of these names. Their passwords are in a .pgpass file of the tests.

#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "agent/connection.h"
#include "agent/process.h"
#include "agent/store.h"
#include "testing/run_command.h"
#include "testing/temporary_folder.h"

namespace vyre::testing {

class FleetServer {
 public:
  // One for the program. Why there is none: `missing`.
  static FleetServer& get();
  FleetServer(const FleetServer&) = delete;
  FleetServer& operator=(const FleetServer&) = delete;
  ~FleetServer();

  const std::string& missing() const { return missing_; }
  std::filesystem::path folder() const { return folder_.path() / "server"; }
  const std::string& port() const { return port_; }
  // A connection string; through the socket for the superuser `admin`, else through TLS.
  std::string connect(const std::string& user, const std::string& database) const;

  void start();
  void stop();

 private:
  FleetServer();
  void make_logins();

  TemporaryFolder folder_;
  std::string port_;
  std::string missing_;
  std::unique_ptr<Process> server_;
};

class AgentTest : public ::testing::Test {
 protected:
  // A database with the newest schema.
  void SetUp() override;

  std::string as(const std::string& user) const { return server().connect(user, database_); }
  static FleetServer& server() { return FleetServer::get(); }

  agent::Connection session(const std::string& user) const;
  agent::Store store(const std::string& user) const;
  // The first value of the answer, as the superuser.
  std::string ask(const std::string& statement) const;

  // vyre-agent, as `user`, on the machine `node`: a folder of this test's, with its cache.
  CommandResult agent(const std::string& node, const std::string& user,
                      std::vector<std::string> words) const;
  std::unique_ptr<Process> agent_beside(const std::string& node, const std::string& user,
                                        const std::vector<std::string>& words) const;
  // The folder of a machine: `NODE/fleet`, `NODE/wishes`, `NODE/cache/vyre`.
  std::filesystem::path node(const std::string& name) const;

  TemporaryFolder folder_;
  std::string database_;

 private:
  std::vector<std::string> argv(const std::string& user, std::vector<std::string> words) const;
};

}  // namespace vyre::testing
