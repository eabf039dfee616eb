// Reports in a browser: they show without an error, every figure is drawn, nothing sticks out of
// the page on a phone or a desk, tables sort by mouse and keyboard, and all text can be read in
// light and dark. Needs Chromium.

#include "report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "report/journal_chapter.h"
#include "report/recording_chapter.h"
#include "testing/landscapes.h"
#include "testing/run_command.h"
#include "testing/temporary_folder.h"
#include "tune/campaign.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Runs in the page, and leaves what it found in the page's title.
constexpr const char* kProbe = R"js(
addEventListener("load", () => {
  const found = {overflow: document.documentElement.scrollWidth - innerWidth, width: innerWidth,
                 figures: 0, empty: [], dim: [], dark: matchMedia("(prefers-color-scheme:dark)").matches};
  for (const details of document.querySelectorAll("details")) details.open = true;
  found.overflow = Math.max(found.overflow, document.documentElement.scrollWidth - innerWidth);
  for (const svg of document.querySelectorAll("svg")) {
    ++found.figures;
    const box = svg.getBBox(), shown = svg.getBoundingClientRect();
    const marks = svg.querySelectorAll("path,rect").length;
    // The least figure is one bar with its label.
    if (!(box.width > 40 && box.height > 10 && shown.width > 100 && shown.height > 20 && marks > 0))
      found.empty.push(svg.getAttribute("aria-label"));
  }
  const numbers = (color) => color.match(/[\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = numbers(color).map((x) => x / 255)
        .map((x) => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) =>
      (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const color = getComputedStyle(e).backgroundColor;
      if ((numbers(color)[3] ?? 1) > 0) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || element.closest("script,title")) continue;
    const style = getComputedStyle(element), is_drawn = element.closest("svg") !== null;
    const cell = element.previousElementSibling;
    const on_cell = is_drawn && cell && /\bq\d/.test(cell.getAttribute("class") ?? "");
    const ratio = contrast(is_drawn ? style.fill : style.color,
                           on_cell ? getComputedStyle(cell).fill : behind(element));
    if (ratio < 4.5) found.dim.push(node.textContent.slice(0, 30) + " " + ratio.toFixed(2));
  }
  const table = document.querySelector("section:last-of-type table.sortable");
  const column = (k) => [...table.tBodies[0].rows].map((row) => row.cells[k].textContent);
  const press = (k) => { const b = table.tHead.rows[0].cells[k].firstChild; b.focus(); b.click();
                         return document.activeElement === b; };
  found.focus = press(0);
  found.sorted = column(0).every((x, i, all) => i === 0 || Number(all[i - 1]) <= Number(x));
  found.sort = table.tHead.rows[0].cells[0].getAttribute("aria-sort");
  press(0);
  found.reversed = column(0).every((x, i, all) => i === 0 || Number(all[i - 1]) >= Number(x));
  press(1);
  const times = column(1), last = times.findIndex((x) => x === "");
  found.unmeasured_last = last < 0 || times.slice(last).every((x) => x === "");
  document.title = "probe " + JSON.stringify(found) + " end";
});
)js";

class Browser : public ::testing::Test {
 protected:
  void SetUp() override {
    if (testing::run_command({"chromium", "--version"}).exit_code != 0) {
      GTEST_SKIP() << "there is no chromium; tools/setup --all installs it";
    }
  }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return "file://" + (folder_ / name).string();
  }

  // The page as it stands after its scripts, and what the browser says on standard error.
  testing::CommandResult show(const std::string& address,
                              std::vector<std::string> options = {}) const {
    std::vector<std::string> command{"chromium",
                                     "--headless",
                                     "--no-sandbox",
                                     "--disable-gpu",
                                     "--disable-dev-shm-usage",
                                     "--no-first-run",
                                     "--disable-background-networking",
                                     "--enable-logging=stderr",
                                     "--allow-file-access-from-files",
                                     "--virtual-time-budget=5000",
                                     "--user-data-dir=" + (folder_ / "profile").string(),
                                     "--dump-dom"};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back(address);
    return testing::run_command(command, {.timeout = std::chrono::milliseconds(120'000),
                                          .environment = {"HOME=" + folder_.path().string()}});
  }

  std::string report() const {
    Replay device = *Replay::make(testing::small_landscape());
    const SearchTask task{
        .name = "small", .identity = "name=small", .space = device.space(), .default_index = 3};
    const CampaignOptions options{.budget = {.seconds = 0, .evaluations = 60},
                                  .journal = folder_ / "journal.jsonl"};
    EXPECT_TRUE(run_campaign(task, device, options));
    const auto journal = read_journal(options.journal);
    const auto gemm = recording::read_recording(VYRE_SOURCE_DIR "/recordings/gemm_T4.json.gz");
    EXPECT_TRUE(journal && gemm);
    return report::html_of(std::vector{report::chapter_of(*gemm, "gemm_T4.json.gz", "gemm"),
                                       report::chapter_of(*journal, "journal.jsonl")},
                           {.version = "test"});
  }

  // The page of a frame of this width, with the probe in it. The page's own policy would forbid the
  // probe, so it is taken out; the other test keeps it.
  nlohmann::json probe(const std::string& html, int width, bool is_dark) const {
    std::string page = html;
    const std::size_t policy = page.find("<meta http-equiv");
    page.erase(policy, page.find("/>", policy) + 2 - policy);
    page.insert(page.find("</body>"), std::string("<script>") + kProbe + "</script>");
    write("page.html", page);
    const std::string frame = write(
        "frame.html",
        "<!doctype html><title>frame</title><iframe id=f src=page.html "
        "style='border:0;height:800px;width:" +
            std::to_string(width) +
            "px'></iframe><script>onload=()=>{document.title=f.contentDocument.title}</script>");
    std::vector<std::string> options{"--window-size=1400,900"};
    if (is_dark) options.emplace_back("--force-dark-mode");
    if (is_dark) options.emplace_back("--blink-settings=preferredColorScheme=0");
    const auto result = show(frame, options);
    const std::size_t begin = result.out.find("probe {");
    const std::size_t end = result.out.find("} end");
    if (begin == std::string::npos || end == std::string::npos) {
      ADD_FAILURE() << "no probe; " << result.err << result.out.substr(0, 2000);
      return {};
    }
    return nlohmann::json::parse(result.out.substr(begin + 6, end + 1 - begin - 6));
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Browser, ShowsAReportWithoutAnErrorAndMakesItsTablesSortable) {
  const std::string html = report();
  const auto shown = show(write("report.html", html));
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.err, Not(HasSubstr("CONSOLE"))) << "the policy allows the page's own script";
  EXPECT_THAT(shown.out, HasSubstr("<button type=\"button\">time (ms)</button>"));
}

TEST_F(Browser, DrawsEveryFigureWithinThePageInLightAndDark) {
  const std::string html = report();
  for (const int width : {360, 1200}) {
    for (const bool is_dark : {false, true}) {
      const nlohmann::json found = probe(html, width, is_dark);
      ASSERT_TRUE(found.is_object());
      EXPECT_EQ(found["width"], width);
      EXPECT_EQ(found["dark"], is_dark);
      EXPECT_LE(found["overflow"], 0) << width;
      EXPECT_GE(found["figures"], 15);
      EXPECT_THAT(found["empty"], IsEmpty()) << found["empty"].dump();
      EXPECT_THAT(found["dim"], IsEmpty()) << found["dim"].dump();
      EXPECT_EQ(found["sort"], "ascending");
      for (const char* fact : {"focus", "sorted", "reversed", "unmeasured_last"}) {
        EXPECT_EQ(found[fact], true) << fact;
      }
    }
  }
}

}  // namespace
}  // namespace vyre
