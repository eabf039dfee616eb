// Messages between campaigns and nodes: the same on the other side, and refused if they cannot be.

#include "fleet/messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/json_value.h"

namespace vyre::fleet {
namespace {

using ::testing::HasSubstr;

const Config kConfig{{"block", std::int64_t{64}}, {"fast", true}, {"kind", std::string("row")}};

AnswerMessage some_answer() {
  return {.ticket = 7,
          .result = {.status = Status::ok,
                     .time_ms = 1.25,
                     .default_ms = 3,
                     .is_host_time = true,
                     .compile_seconds = 0.5,
                     .run_seconds = 0.25,
                     .verify_seconds = 0.125},
          .why = "",
          .kernel_seconds = 0.125};
}

TEST(FleetMessages, ArriveAsTheyWereSent) {
  const DeviceInfo device = open_reference()->info();
  const auto greeting =
      greeting_from(to_bytes(Greeting{.nonce = "n", .host = "h", .device = device}));
  ASSERT_TRUE(greeting) << greeting.error().message;
  EXPECT_EQ(identity_of(greeting->device), identity_of(device));
  EXPECT_EQ(greeting->device.selector, device.selector);
  EXPECT_EQ(greeting->device.limits.buffer_bytes, device.limits.buffer_bytes);
  EXPECT_EQ(greeting->version, kVersion);
  EXPECT_EQ(greeting->nonce + greeting->host, "nh");

  JobMessage job{.head = {.id = 3, .default_index = 9, .build_limit = std::chrono::seconds(2)},
                 .problem = std::string("\0\xff text", 7)};
  job.head.inputs = {
      {.bytes = 5, .digest = blake3("a"), .origin = {.file = "a/b", .from = -0.1, .span = 0.3}}};
  job.head.reference = {{{.bytes = 0, .digest = blake3("")}}};
  const auto got = job_from(to_bytes(job));
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->problem, job.problem);
  EXPECT_EQ(got->head.build_limit, job.head.build_limit);
  ASSERT_EQ(got->head.inputs.size(), 1U);
  EXPECT_EQ(got->head.inputs[0].digest, blake3("a"));
  EXPECT_EQ(got->head.inputs[0].origin, job.head.inputs[0].origin);
  EXPECT_EQ(got->head.reference->size(), 1U);

  const auto start = start_from(to_bytes(StartMessage{4, {Step::pair, 11}, kConfig}));
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_EQ(start->work, (Work{Step::pair, 11}));
  EXPECT_EQ(start->config, kConfig);

  const auto answer = answer_from(to_bytes(some_answer()));
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->ticket, 7U);
  EXPECT_EQ(answer->result.time_ms, 1.25);
  EXPECT_EQ(answer->result.run_seconds, 0.25);
  EXPECT_EQ(answer->result.verify_seconds, 0.125);
  EXPECT_TRUE(answer->result.is_host_time);

  const auto error =
      error_from(to_bytes(ErrorMessage{2, {ErrorKind::rejected, "code", "a\nb\x1b[2J"}}));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->error.kind, ErrorKind::rejected);
  EXPECT_THAT(error->error.message, ::testing::Not(HasSubstr("\n")));
  EXPECT_THAT(error->error.message, ::testing::Not(HasSubstr("\x1b")));
}

// Replaces one field of a message.
std::string with(const std::string& bytes, const char* field, Json value) {
  Json json = Json::parse(bytes);
  json[field] = std::move(value);
  return json.dump();
}

TEST(FleetMessages, ValuesThatCannotBeAreRefused) {
  const std::string answer = to_bytes(some_answer());
  ASSERT_TRUE(answer_from(answer));
  for (const char* field : {"ms", "default_ms", "compile_s", "run_s", "verify_s", "kernel_s"}) {
    EXPECT_FALSE(answer_from(with(answer, field, -1))) << field;
    EXPECT_FALSE(answer_from(with(answer, field, 1e300))) << field;
    EXPECT_FALSE(answer_from(with(answer, field, "1"))) << field;
  }
  EXPECT_FALSE(answer_from(with(answer, "ticket", -1)));
  EXPECT_FALSE(answer_from(with(answer, "ticket", 1.5)));
  EXPECT_FALSE(answer_from(with(answer, "status", "splendid")));
  const std::string start = to_bytes(StartMessage{4, {Step::pair, 11}, kConfig});
  EXPECT_FALSE(start_from(with(start, "step", 4)));
  EXPECT_FALSE(start_from(with(start, "config", {{"a", Json::array()}})));
  const std::string ready = to_bytes(Ready{.workers = 2, .default_ms = 1});
  ASSERT_TRUE(ready_from(ready));
  EXPECT_FALSE(ready_from(with(ready, "default_ms", 0)));
  EXPECT_EQ(ready_from(with(ready, "workers", 0))->workers, 1U);
  const std::string greeting = to_bytes(Greeting{.device = open_null()->info()});
  ASSERT_TRUE(greeting_from(greeting));
  EXPECT_FALSE(greeting_from(with(greeting, "identity", "another")));
  EXPECT_EQ(hello_from(with(to_bytes(Hello{"n"}), "version", kVersion + 1))->nonce, "n");
  EXPECT_THAT(answer_from("[]").error().message, HasSubstr("install the same version on both"));
}

TEST(FleetMessages, AnyBytesAreSafe) {
  std::mt19937 random(3);
  std::vector<std::string> sound{to_bytes(some_answer()),
                                 to_bytes(StartMessage{4, {Step::pair, 11}, kConfig}),
                                 to_bytes(JobMessage{.problem = "text"}),
                                 to_bytes(DataMessage{1, 0, "bytes"}),
                                 to_bytes(Want{1, {0, 1}}),
                                 to_bytes(Greeting{.device = open_null()->info()})};
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = sound[random() % sound.size()];
    for (int k = 0; k < 3; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    bytes.resize(random() % 4 == 0 ? random() % bytes.size() : bytes.size());
    static_cast<void>(answer_from(bytes));
    static_cast<void>(start_from(bytes));
    static_cast<void>(recall_from(bytes));
    static_cast<void>(job_from(bytes));
    static_cast<void>(data_from(bytes));
    static_cast<void>(want_from(bytes));
    static_cast<void>(ready_from(bytes));
    static_cast<void>(greeting_from(bytes));
    static_cast<void>(error_from(bytes));
    static_cast<void>(hello_from(bytes));
  }
}

}  // namespace
}  // namespace vyre::fleet
