// Rights in the database: roles, passwords, certificates, and schemas of other versions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/fleet_database.h"
#include "agent/schema.h"
#include "agent/shared_decisions.h"
#include "testing/soak.h"

namespace vyre::agent {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::shared;
using testing::wish;

constexpr const char* kNoRight = "42501";  // PostgreSQL's insufficient_privilege

class RightsTest : public testing::AgentTest {
 protected:
  // `vyre-agent migrate` with its own defaults: this program has set them for itself.
  static testing::CommandResult migrate_over(const std::string& connect,
                                             const std::vector<std::string>& environment = {}) {
    return testing::run_command({"env", "-u", "PGCHANNELBINDING", "-u", "PGSSLMODE", VYRE_AGENT,
                                 "migrate", "--connect", connect},
                                {.environment = environment});
  }
};

TEST_F(RightsTest, AReaderReadsAndCannotWrite) {
  ASSERT_EQ(store("tuner").publish(shared(64)), true);
  Store reader = store("reader");
  Mirror mirror;
  ASSERT_TRUE(reader.pull(mirror));
  EXPECT_EQ(mirror.rows(), 1U);
  EXPECT_EQ(reader.may_publish(), false);
  EXPECT_EQ(reader.may_post(), false);
  EXPECT_EQ(reader.publish(shared(65)).error().code, kNoRight);
  EXPECT_EQ(reader.post(wish(1)).error().code, kNoRight);
  EXPECT_EQ(reader.claim(1, "me", Milliseconds(1000)).error().code, kNoRight);
  EXPECT_EQ(reader.renew({1, 1}, Milliseconds(1000)).error().code, kNoRight);
  EXPECT_EQ(reader.fulfil({1, 1}, shared(65)).error().code, kNoRight);
  EXPECT_EQ(ask("select count(*) from vyre.decision"), "1");
}

TEST_F(RightsTest, AWisherWishesAndCannotPublish) {
  Store wisher = store("wisher");
  EXPECT_EQ(wisher.may_post(), true);
  EXPECT_EQ(wisher.post(wish(1)), true);
  EXPECT_EQ(wisher.post(wish(1)), false);
  EXPECT_EQ(ask("select asked from vyre.wish"), "2");
  EXPECT_EQ(wisher.publish(shared(65)).error().code, kNoRight);
  EXPECT_EQ(wisher.claim(1, "me", Milliseconds(1000)).error().code, kNoRight);
}

TEST_F(RightsTest, NoRoleChangesATable) {
  ASSERT_EQ(store("tuner").publish(shared(64)), true);
  const char* const statements[] = {
      "insert into vyre.wish (identity) values ('x')",
      "update vyre.decision set evidence = 99",
      "delete from vyre.decision",
      "truncate vyre.claim",
      "update vyre.schema set version = 9",
      "select nextval('vyre.wish_id_seq')",
      "select * from vyre.wish for update",
      "create table vyre.mine (x integer)",
      "drop function vyre.renew",
      "select vyre.put('gpu', '', '', 1, 0, '', '')",
  };
  for (const char* user : {"reader", "wisher", "tuner"}) {
    Connection connection = session(user);
    for (const char* statement : statements) {
      const auto done = connection.query(statement);
      ASSERT_FALSE(done) << user << ": " << statement;
      EXPECT_EQ(done.error().code, kNoRight) << user << ": " << statement;
    }
  }
}

// Somebody who has a login and none of the roles sees nothing at all.
TEST_F(RightsTest, PublicHasNothing) {
  const std::string connect = as("lax") + " channel_binding=prefer";
  auto opened = Connection::open({.connect = connect});
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->query("select * from vyre.decision").error().code, kNoRight);
  EXPECT_EQ(opened->query("select vyre.renew(1, 1, '1 s')").error().code, kNoRight);
  const auto schema = check_schema(*opened);
  ASSERT_FALSE(schema);
  EXPECT_THAT(schema.error().message, HasSubstr("that this user cannot read or that is not ours"));
}

// Objects that a caller makes in its own temporary schema do not take the place of ours.
TEST_F(RightsTest, TheSearchPathIsFixed) {
  Connection tuner = session("tuner");
  ASSERT_TRUE(
      tuner.run("create temporary table decision (x integer);"
                "create function pg_temp.pg_notify(text, text) returns void language "
                "plpgsql as $$ begin raise exception 'trapped'; end $$;"
                "set search_path = pg_temp, pg_catalog"));
  const auto row = *to_row(shared(64));
  const auto done =
      tuner.query("select vyre.publish($1, $2, $3, $4, $5, decode($6, 'hex'), $7)", row);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->rows[0][0], "1");
  EXPECT_EQ(ask("select count(*) from pg_proc p join pg_namespace n on n.oid = p.pronamespace "
                "where nspname = 'vyre' and not "
                "coalesce(proconfig @> array['search_path=pg_catalog, pg_temp'], false)"),
            "0");
}

TEST_F(RightsTest, ValuesOfAnotherFormAreRefused) {
  Store tuner = store("tuner");
  Wish odd = wish(1);
  odd.identity = "'; drop table vyre.wish; --";
  EXPECT_THAT(tuner.post(odd).error().message, HasSubstr("the server refuses"));
  odd = wish(1);
  odd.shape = {2};
  EXPECT_THAT(tuner.post(odd).error().message, HasSubstr("its key does not follow from its shape"));
  EXPECT_THAT(tuner.claim(1, "me", std::chrono::hours(48)).error().message,
              HasSubstr("a lease is at most a day"));
}

TEST_F(RightsTest, WishesAreLimited) {
  if (!testing::soaking()) GTEST_SKIP() << "65536 wishes take 6 s: in make soak";
  Store tuner = store("tuner");
  ASSERT_TRUE(session("admin").run(
      "insert into vyre.wish (identity, key, program, fingerprint, shape, posted_by, posted_at) "
      "select lpad(to_hex(n), 16, '0'), 'v2-' || repeat('0', 64), '', repeat('0', 64), '1', '', "
      "now() from generate_series(1, 65536) n"));
  EXPECT_THAT(tuner.post(wish(1)).error().message, HasSubstr("there are 65536 wishes already"));
}

TEST_F(RightsTest, PasswordsInArgumentsAreRefused) {
  struct Case {
    std::string connect;
    const char* message;
  };
  const Case cases[] = {
      {"host=localhost password=hunter2", "has a password"},
      {"postgresql://tuner:hunter2@localhost/x", "has a password"},
      {"host=localhost sslpassword=hunter2", "has a password"},
      {"host=localhost hunter2", "cannot be read"},
  };
  for (const Case& one : cases) {
    for (const std::string command : {"migrate", "wish"}) {
      const auto run = testing::run_command({VYRE_AGENT, command, "--connect", one.connect});
      EXPECT_EQ(run.exit_code, 1);
      EXPECT_THAT(run.err, AllOf(HasSubstr(one.message), Not(HasSubstr("hunter2"))));
    }
  }
}

// A service file may have what an argument may not.
TEST_F(RightsTest, AServiceFileNamesTheServer) {
  const std::filesystem::path file = folder_ / "services";
  std::string lines = "[fleet]\n" + as("owner") + "\n";
  std::ranges::replace(lines, ' ', '\n');
  testing::write_text(file, lines);
  const auto run = migrate_over("service=fleet", {"PGSERVICEFILE=" + file.string()});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "schema 2: nothing to do\n");
  EXPECT_EQ(run.err, "");
}

// There the kernel says who is there, and no TLS is to be had.
TEST_F(RightsTest, ASocketOfTheFileSystemNeedsNoCertificate) {
  std::string connect = as("admin");
  connect.erase(0, connect.find("host="));
  const auto run = migrate_over(connect);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
}

TEST_F(RightsTest, AServerThatIsNotVerifiedIsRefused) {
  EXPECT_EQ(migrate_over(as("owner")).exit_code, 0);
  const std::string other = (server().folder() / "other.crt").string();
  const auto wrong_ca = migrate_over(as("owner") + " sslrootcert=" + other);
  EXPECT_EQ(wrong_ca.exit_code, 1);
  EXPECT_THAT(wrong_ca.err, HasSubstr("certificate verify failed"));
  const auto no_ca = migrate_over(as("owner"), {"PGSSLROOTCERT=/nowhere/root.crt"});
  EXPECT_EQ(no_ca.exit_code, 1);
  EXPECT_THAT(no_ca.err, HasSubstr("root certificate file \"/nowhere/root.crt\" does not exist"));
  const auto wrong_name = migrate_over(as("owner") + " host=127.0.0.1");
  EXPECT_EQ(wrong_name.exit_code, 1);
  EXPECT_THAT(wrong_name.err, HasSubstr("does not match host name \"127.0.0.1\""));
  // It takes anybody at its word, so it may be anybody itself.
  const auto no_scram = migrate_over(as("lax"));
  EXPECT_EQ(no_scram.exit_code, 1);
  EXPECT_THAT(no_scram.err, HasSubstr("channel binding required"));
  const auto asked_for = migrate_over(as("owner") + " sslmode=require");
  EXPECT_THAT(asked_for.err, HasSubstr("sslmode is require, so that another server could pose"));
}

TEST_F(RightsTest, SchemasAreUpgradedAndNewerOnesAreLeftAlone) {
  Connection admin = session("admin");
  ASSERT_TRUE(admin.run("drop schema vyre cascade"));
  Connection owner = session("owner");
  EXPECT_THAT(check_schema(owner).error().message,
              HasSubstr("has no schema of vyre, and this vyre-agent needs 2"));
  // Steps only add: what is there stays.
  ASSERT_TRUE(migrate(owner, 1));
  EXPECT_THAT(check_schema(owner).error().message, HasSubstr("has schema 1, and"));
  ASSERT_TRUE(
      owner.run("insert into vyre.wish (identity, key, program, fingerprint, shape, "
                "posted_by, posted_at) values (repeat('0', 16), 'v2-' || repeat('0', 64), "
                "'', repeat('0', 64), '1', '', now())"));
  const auto upgraded = agent("a", "owner", {"migrate"});
  EXPECT_EQ(upgraded.out, "schema 2, was 1\n") << upgraded.err;
  EXPECT_EQ(ask("select count(*) from vyre.wish"), "1");
  EXPECT_TRUE(check_schema(owner));

  ASSERT_TRUE(owner.run("update vyre.schema set version = 3"));
  const auto newer = agent("a", "owner", {"migrate"});
  EXPECT_EQ(newer.exit_code, 1);
  EXPECT_THAT(newer.err,
              HasSubstr("has schema 3, and this vyre-agent knows 2: nothing was changed"));
  EXPECT_EQ(ask("select version from vyre.schema"), "3");
  const auto sync = agent("a", "tuner", {"sync", "--folder", (node("a") / "fleet").string()});
  EXPECT_EQ(sync.exit_code, 1);
  EXPECT_THAT(sync.err, HasSubstr("use a newer vyre-agent"));
  EXPECT_TRUE(std::filesystem::is_empty(node("a") / "fleet"));
}

// All steps or none.
TEST_F(RightsTest, AMigrationThatFailsChangesNothing) {
  Connection admin = session("admin");
  ASSERT_TRUE(admin.run("drop schema vyre cascade"));
  const auto failed = agent("a", "tuner", {"migrate"});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_THAT(failed.err, HasSubstr("permission denied"));
  EXPECT_EQ(ask("select count(*) from pg_namespace where nspname = 'vyre'"), "0");
  ASSERT_TRUE(admin.run("create schema vyre; create table vyre.schema (x integer)"));
  EXPECT_THAT(agent("a", "owner", {"migrate"}).err, HasSubstr("that is not ours"));
}

}  // namespace
}  // namespace vyre::agent
