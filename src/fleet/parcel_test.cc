// Problems on their way to a node: whole, by digest, and from the node's own files.

#include "fleet/parcel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "testing/temporary_folder.h"
#include "tune/problem_call.h"

namespace vyre::fleet {
namespace {

using ::testing::HasSubstr;

Problem saxpy() {
  auto problem = bundled_problem("saxpy", {{"n", 256}});
  EXPECT_TRUE(problem) << problem.error().message;
  return *std::move(problem);
}

// Its data comes from nowhere else.
Problem saxpy_with_own_data() {
  Problem problem = saxpy();
  problem.input_origins.clear();
  return problem;
}

// As the streams send it: in pieces.
Expected<void> send(Unpacking& to, const Parcel& parcel, std::size_t piece) {
  for (const std::uint64_t blob : to.want().blobs) {
    const auto& bytes = *parcel.blobs[blob];
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      const auto* from = reinterpret_cast<const char*>(bytes.data()) + at;
      auto added =
          to.add({parcel.job.head.id, blob, std::string(from, std::min(piece, bytes.size() - at))});
      if (!added) return added;
    }
  }
  return {};
}

TEST(Parcels, BringTheWholeProblem) {
  const Problem problem = saxpy_with_own_data();
  const auto parcel = pack(problem);
  ASSERT_TRUE(parcel) << parcel.error().message;
  auto unpacking = Unpacking::begin(parcel->job, {});
  ASSERT_TRUE(unpacking) << unpacking.error().message;
  EXPECT_EQ(unpacking->want().blobs.size(), problem.inputs->size());
  ASSERT_TRUE(send(*unpacking, *parcel, 100));
  ASSERT_TRUE(unpacking->is_complete());
  const auto there = unpacking->problem();
  ASSERT_TRUE(there) << there.error().message;
  EXPECT_EQ(there->sequence.fingerprint(), problem.sequence.fingerprint());
  EXPECT_EQ(*digest_of_data(*there), *digest_of_data(problem));
  EXPECT_EQ(there->space.config_at(0), problem.space.config_at(problem.default_index));
  // The same data is not asked for again.
  EXPECT_TRUE(Unpacking::begin(parcel->job, unpacking->known())->is_complete());
}

// The node makes the same bytes; only a machine that would make others asks for them.
TEST(Parcels, DataOfASeedIsMadeOnTheNode) {
  Problem problem = saxpy();
  const auto parcel = pack(problem);
  ASSERT_TRUE(parcel) << parcel.error().message;
  const auto read = job_from(to_bytes(parcel->job));
  ASSERT_TRUE(read) << read.error().message;
  const auto there = Unpacking::begin(*read, {});
  ASSERT_TRUE(there) << there.error().message;
  ASSERT_TRUE(there->is_complete());
  EXPECT_EQ(*digest_of_data(*there->problem()), *digest_of_data(problem));
  struct Case {
    const char* what;
    Origin origin;
  };
  const Case cases[] = {
      {"another seed", {.type = "float", .from = -1, .span = 2, .seed = 7, .lanes = 256}},
      {"too many", {.type = "float", .from = -1, .span = 2, .lanes = 257}},
      {"a number that wraps around", {.type = "float", .lanes = (std::uint64_t{1} << 62U) + 256}},
      {"no type", {.type = "quadruple", .lanes = 256}},
      {"an infinity", {.type = "float", .from = std::numeric_limits<double>::infinity()}},
  };
  for (const Case& one : cases) {
    problem.input_origins[0] = one.origin;
    const auto other = job_from(to_bytes(pack(problem)->job));
    ASSERT_TRUE(other) << one.what;
    EXPECT_THAT(Unpacking::begin(*other, {})->want().blobs, ::testing::ElementsAre(0U)) << one.what;
  }
}

TEST(Parcels, DataThatIsDamagedOrWasNotAskedForIsRefused) {
  const auto parcel = pack(saxpy_with_own_data());
  ASSERT_TRUE(parcel);
  auto unpacking = Unpacking::begin(parcel->job, {});
  ASSERT_TRUE(unpacking);
  const auto message = [&](const DataMessage& data) {
    return unpacking->add(data).error().message;
  };
  EXPECT_EQ(message({0, 99, "x"}), "data came that nobody has asked for");
  EXPECT_EQ(message({0, 0, std::string(1025, 'x')}), "data came that nobody has asked for");
  EXPECT_EQ(message({0, 0, std::string(1024, 'x')}), "data came that is damaged");
  EXPECT_TRUE(unpacking->add({77, 0, "of another job"}));
}

TEST(Parcels, OwnDataIsReadFromTheNodesOwnFile) {
  const testing::TemporaryFolder folder;
  Problem problem = saxpy_with_own_data();
  const std::string file = folder / "x.bin";
  const std::vector<std::byte> x = problem.inputs->at(0);
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(x.data()), static_cast<std::streamsize>(x.size()));
  ASSERT_TRUE(set_input(problem, "x", x, {.file = file}));
  const auto parcel = pack(problem);
  ASSERT_TRUE(parcel) << parcel.error().message;
  const auto there = Unpacking::begin(parcel->job, {});
  ASSERT_TRUE(there) << there.error().message;
  EXPECT_THAT(there->want().blobs, ::testing::Not(::testing::Contains(0U)));
  for (const char* change : {"y", "yy"}) {
    std::ofstream(file, std::ios::binary | std::ios::app) << change;
    const auto other = Unpacking::begin(parcel->job, {});
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message, HasSubstr("x.bin\" has another content here"));
  }
  std::filesystem::remove(file);
  EXPECT_THAT(Unpacking::begin(parcel->job, {}).error().message, HasSubstr("x.bin"));
}

TEST(Parcels, ThatAreTooLargeForTheNodeAreRefused) {
  auto parcel = pack(saxpy());
  ASSERT_TRUE(parcel);
  parcel->job.head.inputs[0].bytes = ~std::uint64_t{0};
  const auto there = Unpacking::begin(parcel->job, {});
  ASSERT_FALSE(there);
  EXPECT_THAT(there.error().message, HasSubstr("the data of the problem"));
}

}  // namespace
}  // namespace vyre::fleet
