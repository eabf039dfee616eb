// What `tune` has just found, in words, as a drawing and as a page.

#include "vyre/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/temporary_folder.h"
#include "testing/xml.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::TemporaryFolder;

class Explain : public ::testing::Test {
 protected:
  // With nothing else in `options`, everything stays in memory.
  Tuned tuned(TuneOptions options = {}) const {
    options.seconds = 0;
    options.evaluations = 5;
    const auto problem = bundled_problem("saxpy", {{"n", 1024}});
    auto out = tune(device_, *problem, options);
    EXPECT_TRUE(out) << out.error().message;
    return *std::move(out);
  }
  std::string words(const Tuned& found) const { return explain({found, device_->info()}); }
  std::string page(const Tuned& found) const {
    const TunedOn one{found, device_->info()};
    return report_page({&one, 1});
  }

  std::shared_ptr<Device> device_ = open_reference({.threads = 1});
};

TEST_F(Explain, CampaignsWithoutFilesAreToldAndDrawn) {
  const Tuned found = tuned();
  const std::string text = words(found);
  EXPECT_TRUE(text.starts_with(to_string(found.key) + "\n")) << text;
  for (const char* title : {"config", "evidence", "gain", "valid for"}) {
    EXPECT_THAT(text, HasSubstr(std::string("\n  ") + title));
  }
  EXPECT_THAT(text, Not(HasSubstr("\n  file"))) << "no file has it";
  EXPECT_THAT(text, Not(HasSubstr("\n  not kept")));
  const auto svg = draw(found);
  ASSERT_TRUE(svg) << svg.error().message;
  EXPECT_EQ(testing::xml_problem(*svg), "");
  EXPECT_THAT(*svg, HasSubstr("saxpy: a campaign's samples in order"));
  const std::string html = page(found);
  EXPECT_THAT(html, HasSubstr("How the search went"));
  EXPECT_THAT(html, HasSubstr("Every configuration"));
  EXPECT_THAT(html, Not(HasSubstr("is gone")));
}

TEST_F(Explain, ARememberedDecisionHasTheCampaignThatMadeIt) {
  const TemporaryFolder folder;
  const TuneOptions options{.files = {.folder = folder.path()}};
  const Tuned first = tuned(options);
  const Tuned second = tuned(options);
  ASSERT_TRUE(second.is_remembered);
  ASSERT_TRUE(draw(first));
  EXPECT_EQ(draw(first), draw(second));
  EXPECT_THAT(page(second), Not(HasSubstr("is gone")));
  TuneOptions again = options;
  again.again = true;
  again.seed = 2;
  (void)tuned(again);
  EXPECT_THAT(page(first), HasSubstr("is another campaign of the same program"));
  std::filesystem::remove_all(folder / "journals");
  EXPECT_FALSE(draw(second));
  EXPECT_THAT(page(second), HasSubstr("The journal of this decision is gone"));
}

TEST_F(Explain, AnInterruptedCampaignSaysSo) {
  TuneOptions options;
  options.on_progress = [](const Progress& progress) { return progress.evaluations < 3; };
  const Tuned found = tuned(options);
  ASSERT_TRUE(found.is_interrupted());
  EXPECT_THAT(words(found), HasSubstr("\n  not kept    interrupted\n"));
  EXPECT_TRUE(draw(found));
  EXPECT_THAT(page(found), HasSubstr("Every configuration"));
}

TEST_F(Explain, SeveralStandSideBySide) {
  const Tuned found = tuned();
  const TunedOn one{found, device_->info()};
  const std::vector<TunedOn> two{one, one};
  EXPECT_THAT(report_page(two), HasSubstr("Side by side"));
  EXPECT_THAT(report_page({}), HasSubstr("nothing to show"));
}

}  // namespace
}  // namespace vyre
