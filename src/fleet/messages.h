// What frames between a campaign and a node hold: JSON, and bytes behind it where there are some.
//
// Both ends may be of other builds and on other machines, so every field is checked: numbers that
// cannot be, statuses that do not exist and steps out of range are errors. Texts have their control
// characters escaped and are cut, so that they can be shown.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/blake3.h"
#include "vyre/tune.h"

namespace vyre::fleet {

// Of the messages. Nodes of another version are refused.
inline constexpr int kVersion = 2;

// The same in all versions: every node understands it and greets, so that the campaign can say why
// it refuses one.
struct Hello {
  std::string nonce = {};  // another one each time that a node is started
};

struct Greeting {
  int version = kVersion;
  std::string nonce = {};  // of the hello
  std::string host = {};
  DeviceInfo device = {};
  std::optional<Error> error = {};  // there is no device
};

// One input or expected output. The node reads it from its own file where the origin is a file, or
// makes it from the seed. It asks for the bytes where the origin says nothing, or where it has made
// others.
struct Blob {
  std::uint64_t bytes = 0;
  Hash digest = {};
  Origin origin = {};
};

// The problem itself stands behind the JSON, as worker::write_job writes it, without any data.
struct JobHead {
  std::uint64_t id = 0;
  std::uint64_t default_index = 0;  // in the campaign's space
  std::chrono::milliseconds build_limit{};
  std::chrono::milliseconds run_limit{};
  std::uint64_t build_memory = 0;
  std::uint64_t memory_limit = 0;
  std::vector<Blob> inputs = {};
  std::optional<std::vector<Blob>> reference = {};
};

struct JobMessage {
  JobHead head = {};
  std::string problem = {};
};

// Numbers of blobs: inputs first, then expected outputs.
struct Want {
  std::uint64_t job = 0;
  std::vector<std::uint64_t> blobs = {};
};

// A piece of a blob, behind those that came before it.
struct DataMessage {
  std::uint64_t job = 0;
  std::uint64_t blob = 0;
  std::string bytes = {};
};

struct Ready {
  std::uint64_t job = 0;
  std::uint32_t workers = 1;
  bool is_warm = false;
  double default_ms = 0;  // what the default configuration takes on this node
};

struct StartMessage {
  std::uint64_t ticket = 0;  // of the answer
  Work work = {};
  Config config = {};
};

// So many answers to this work were given by other nodes.
struct RecallMessage {
  Work work = {};
  Config config = {};
  std::uint64_t count = 0;
};

struct AnswerMessage {
  std::uint64_t ticket = 0;
  Result result = {};
  std::string why = {};
  double kernel_seconds = 0;
};

struct ErrorMessage {
  std::uint64_t job = 0;
  Error error = {};
};

std::string to_bytes(const Hello& hello);
std::string to_bytes(const Greeting& greeting);
std::string to_bytes(const JobMessage& job);
std::string to_bytes(const Want& want);
std::string to_bytes(const DataMessage& data);
std::string to_bytes(const Ready& ready);
std::string to_bytes(const StartMessage& start);
std::string to_bytes(const RecallMessage& recall);
std::string to_bytes(const AnswerMessage& answer);
std::string to_bytes(const ErrorMessage& error);

Expected<Hello> hello_from(std::string_view bytes);
Expected<Greeting> greeting_from(std::string_view bytes);
Expected<JobMessage> job_from(std::string_view bytes);
Expected<Want> want_from(std::string_view bytes);
Expected<DataMessage> data_from(std::string_view bytes);
Expected<Ready> ready_from(std::string_view bytes);
Expected<StartMessage> start_from(std::string_view bytes);
Expected<RecallMessage> recall_from(std::string_view bytes);
Expected<AnswerMessage> answer_from(std::string_view bytes);
Expected<ErrorMessage> error_from(std::string_view bytes);

}  // namespace vyre::fleet
