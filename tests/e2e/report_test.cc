// `vyre report` as a user types it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/landscapes.h"
#include "testing/run_command.h"
#include "testing/temporary_folder.h"
#include "testing/xml.h"
#include "vyre/recording.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;

class ReportOnDisk : public ::testing::Test {
 protected:
  testing::CommandResult vyre(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), VYRE_CLI);
    return testing::run_command(
        arguments, {.timeout = std::chrono::milliseconds(120'000),
                    .environment = {"XDG_CACHE_HOME=" + (folder_ / "cache").string()}});
  }

  void tune(const std::string& kernel) const {
    const auto tuned = vyre({"tune", kernel, "--size", "n=4096", "--device", "reference",
                             "--evaluations", "5", "--budget", "60"});
    ASSERT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  std::string page() const {
    std::ifstream in(file("report.html"));
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t first_line = std::min(text.find('\n'), text.size() - 1);
    EXPECT_EQ(testing::xml_problem(std::string_view(text).substr(first_line + 1)), "");
    return text;
  }

  // Runs the command and gives its page.
  std::string report(std::vector<std::string> arguments, const std::string& says) const {
    arguments.insert(arguments.begin(), "report");
    arguments.insert(arguments.end(), {"-o", file("report.html")});
    const auto result = vyre(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.out, file("report.html") + ": " + says + "\n");
    return page();
  }

  std::filesystem::path journal() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "cache/vyre/journals")) {
      if (entry.path().extension() == ".jsonl") return entry.path();
    }
    return {};
  }

  testing::TemporaryFolder folder_;
};

TEST_F(ReportOnDisk, ShowsDecisionsJournalsAndRecordings) {
  tune("saxpy");
  const std::string all = report({}, "1 campaign(s)");
  for (const char* part : {"What was decided, and why", "times the default's speed", "saxpy",
                           "What each parameter is worth", "Where the time went"}) {
    EXPECT_THAT(all, HasSubstr(part));
  }
  EXPECT_EQ(report({"saxpy"}, "1 campaign(s)"), all) << "by name";
  EXPECT_THAT(report({journal().string()}, "1 campaign(s)"), HasSubstr("Fastest so far"));

  const std::string t4 = file("small_T4.json.gz");
  ASSERT_TRUE(recording::write_t4(t4, testing::small_landscape()));
  const std::string several = report({"saxpy", journal().string(), t4, t4}, "4 campaign(s)");
  EXPECT_THAT(several, HasSubstr("Side by side"));
  EXPECT_THAT(several, HasSubstr("id=\"chapter-4\""));
  EXPECT_THAT(folder_.names(), ::testing::Not(::testing::Contains(HasSubstr(".tmp"))));
}

TEST_F(ReportOnDisk, SaysWhatIsMissing) {
  tune("saxpy");
  std::filesystem::rename(journal(), file("elsewhere.jsonl"));
  EXPECT_THAT(report({"saxpy"}, "1 campaign(s)"),
              HasSubstr("The journal of this decision is gone or has no samples"));
  std::ofstream(file("empty.jsonl"))
      << "{\"schema\":3,\"campaign\":\"name=empty default=0 strategy=natural\"}\n";
  EXPECT_THAT(report({file("empty.jsonl")}, "1 campaign(s)"), HasSubstr("Nothing was tried yet."));
}

TEST_F(ReportOnDisk, MistakesAreOneLineThatSaysWhatToDo) {
  EXPECT_EQ(vyre({"report", "-o", file("x.html")}).err,
            "vyre: there are no decisions yet; run `vyre tune`, or give a journal or a T4 file\n");
  tune("saxpy");
  std::ofstream(file("odd.jsonl")) << "{}\n";
  std::ofstream(file("odd.json")) << "{}\n";
  const struct {
    std::vector<std::string> arguments;
    std::string message;
  } cases[] = {
      {{"saxpi"},
       "there is no decision \"saxpi\"; did you mean \"saxpy\"?; `vyre cache list` shows all"},
      {{"v2-ab"}, "give \"v2-\" and at least four digits"},
      {{file("odd.jsonl")}, "is no journal of a campaign"},
      {{file("odd.json")}, "odd.json\": "},
      {{file("missing.jsonl")}, "missing.jsonl"},
      {{"saxpy", "-o", file("no/such/x.html")}, "make it or choose another place"},
      {{"saxpy", "-o", folder_.path().string()}, "it is no ordinary file"},
  };
  for (const auto& [arguments, message] : cases) {
    std::vector<std::string> command{"report"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    if (arguments.size() == 1) command.insert(command.end(), {"-o", file("x.html")});
    const auto result = vyre(command);
    EXPECT_EQ(result.exit_code, 1) << message;
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_FALSE(std::filesystem::exists(file("x.html")));
  }
}

TEST_F(ReportOnDisk, ReplacesItsFileInOneStep) {
  tune("saxpy");
  std::ofstream(file("report.html")) << "old";
  EXPECT_THAT(report({}, "1 campaign(s)"), HasSubstr("<h1>Tuning report</h1>"));
  std::filesystem::permissions(file("report.html"), std::filesystem::perms::owner_read);
  EXPECT_THAT(report({"saxpy"}, "1 campaign(s)"), HasSubstr("<h1>Tuning report</h1>"));
}

}  // namespace
}  // namespace vyre
