#include "fuse/rates.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files/paths.h"
#include "base/files/whole_file.h"
#include "fuse/roofline.h"
#include "testing/temporary_folder.h"
#include "vyre/call.h"

namespace vyre::fuse::rates_tests {
namespace {

std::shared_ptr<Device> interpreter() {
  auto device = open_device("reference");
  EXPECT_TRUE(device) << device.error().message;
  return *device;
}

class RatesFile : public ::testing::Test {
 protected:
  std::filesystem::path file() const { return rates_file(files_, safe_name(device_->info())); }
  void write(const std::string& text) const {
    std::filesystem::create_directories(file().parent_path());
    std::ofstream(file()) << text;
  }
  std::string text() const { return read_file(file(), 4096).value_or(""); }
  std::string identity() const { return id_of(identity_of(device_->info())); }

  testing::TemporaryFolder folder_;
  Files files_{.folder = folder_.path()};
  std::shared_ptr<Device> device_ = interpreter();
};

TEST_F(RatesFile, MeasuredRatesAreAboveZeroAndKept) {
  const auto measured = rates_of(device_, files_);
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_GT(measured->bytes_per_ns, 0);
  EXPECT_GT(measured->operations_per_ns, 0);
  EXPECT_GT(measured->launch_ns, 0);
  EXPECT_EQ(*rates_of(device_, files_), *measured);
}

TEST_F(RatesFile, KnownRatesAreNotMeasuredAgain) {
  write(R"({"schema": 1, "identity": ")" + identity() +
        R"(", "bytes_per_ns": 5, "operations_per_ns": 7, "launch_ns": 11})");
  EXPECT_EQ(*rates_of(device_, files_), (Rates{5, 7, 11}));
}

TEST_F(RatesFile, RatesOfAnotherDriverAreReplaced) {
  write(R"({"schema": 1, "identity": "0123456789abcdef", "bytes_per_ns": 5,)"
        R"( "operations_per_ns": 7, "launch_ns": 11})");
  const auto rates = rates_of(device_, files_);
  ASSERT_TRUE(rates);
  EXPECT_NE(rates->bytes_per_ns, 5);
  EXPECT_NE(text().find(identity()), std::string::npos);
}

TEST_F(RatesFile, AFileThatCannotBeReadIsLeftAlone) {
  for (const char* garbage :
       {"", "{", "[1]", R"({"schema": "one"})", R"({"schema": 1, "identity": 3})"}) {
    SCOPED_TRACE(garbage);
    write(garbage);
    ASSERT_TRUE(rates_of(device_, files_));
    EXPECT_EQ(text(), garbage);
  }
}

TEST(Rates, WithoutFilesNothingIsKept) { EXPECT_TRUE(rates_of(interpreter(), {})); }

// --- The roofline ---

double predicted(const char* text, std::uint32_t n, const Rates& rates) {
  const auto def = ir::parse(text);
  EXPECT_TRUE(def) << def.error().message;
  const auto sequence = ir::Sequence::make(*def);
  EXPECT_TRUE(sequence) << sequence.error().message;
  const std::vector<float> x(n);
  const Input input = as_input(x);
  const auto plan =
      backend::make_plan(*sequence, Call{.inputs = {&input, 1}}, interpreter()->info().limits);
  EXPECT_TRUE(plan) << plan.error().message;
  return predicted_ns(*sequence, *plan, rates);
}

constexpr const char* kMap =
    "program p { shape n: u32 read x: f32[n] write y: f32[n] workgroup [64u] "
    "grid [(n + 63u) / 64u] if global_id(0) < n { y[global_id(0)] = x[global_id(0)] * 2.0f } }";

TEST(Roofline, ALaunchTakesTheLongerOfItsTwoLimits) {
  // 1024 elements: 8192 bytes, 3072 operations.
  EXPECT_EQ(predicted(kMap, 1024, {1, 1000, 100}), 8192 + 100);
  EXPECT_EQ(predicted(kMap, 1024, {1000, 1, 100}), 3072 + 100);
}

TEST(Roofline, ABufferThatIsClearedFirstIsWrittenTwice) {
  constexpr const char* kEverySecond =
      "program p { shape n: u32 read x: f32[n] write y: f32[n] workgroup [64u] "
      "grid [n / 128u] y[global_id(0) * 2u] = x[global_id(0)] }";
  // 512 elements are read and 512 written; 1024 are cleared.
  EXPECT_EQ(predicted(kEverySecond, 1024, {1, 1000, 100}), 2048 + 2048 + 4096 + 100);
}

}  // namespace
}  // namespace vyre::fuse::rates_tests
