// Bars and heatmaps, as SVG.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "report/bars.h"
#include "report/heatmap.h"
#include "testing/xml.h"

namespace vyre::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Drawing, StyleIsInFilesAndNotInPages) {
  const std::string file = drawing({10, 20}, "a & b", "<path/>", Form::file);
  EXPECT_EQ(testing::xml_problem(file), "");
  EXPECT_THAT(file, HasSubstr("<style>"));
  EXPECT_THAT(file, HasSubstr("<title>a &amp; b</title>"));
  const std::string part = drawing({10, 20}, "a & b", "<path/>", Form::page);
  EXPECT_EQ(testing::xml_problem(part), "");
  EXPECT_THAT(part, Not(HasSubstr("<style>")));
  EXPECT_THAT(part, HasSubstr("role=\"img\" aria-label=\"a &amp; b\""));
}

TEST(Bars, AreAsLongAsTheirValues) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const Bars bars{
      .title = "<t>",
      .bars = {{"block<", 2, "2 s"}, {"items", 1, "1 s"}, {"odd", kNone, "?"}, {"", -3, ""}}};
  for (const Form form : {Form::file, Form::page}) {
    const std::string svg = to_svg(bars, form);
    EXPECT_EQ(testing::xml_problem(svg), "");
    EXPECT_THAT(svg, HasSubstr("width=\"140\""));
    EXPECT_THAT(svg, HasSubstr("width=\"70\""));
    EXPECT_THAT(svg, HasSubstr(">block&lt;</text>"));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
  }
  EXPECT_EQ(testing::xml_problem(to_svg(Bars{.title = "none"})), "");
  EXPECT_EQ(testing::xml_problem(to_svg(Bars{.title = "zeros", .bars = {{"a"}, {"b"}}})), "");
}

TEST(Heatmap, ShadesByRatioAndNamesWhatIsMissing) {
  Heatmap map{
      .title = "t", .x_label = "<x>", .y_label = "y", .x = {"1", "2", "4"}, .y = {"a", "\"b\""}};
  map.cells = {{CellState::measured, 1}, {CellState::measured, 2}, {CellState::measured, 900},
               {CellState::failed},      {CellState::untried},     {CellState::measured, 1.3}};
  const std::string svg = to_svg(map, Form::page);
  EXPECT_EQ(testing::xml_problem(svg), "");
  for (const char* text : {"class=\"cell q0\"", "class=\"cell q3\"", "class=\"cell q6\"",
                           "class=\"cell q\"", ">1.00</text>", ">2.00</text>", ">900</text>",
                           "y = a, &lt;x&gt; = 2: 2.00 times the fastest</title>",
                           "y = &quot;b&quot;, &lt;x&gt; = 1: failed",
                           "y = &quot;b&quot;, &lt;x&gt; = 2: not tried"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
  EXPECT_EQ(testing::xml_problem(to_svg(Heatmap{.title = "empty"})), "");
}

TEST(Heatmap, LeavesOutNamesThatHaveNoRoom) {
  Heatmap map{.title = "t", .x_label = "x", .y_label = "y", .y = {"a"}};
  for (int k = 0; k < 40; ++k) map.x.push_back(std::to_string(1000 + k));
  map.cells.assign(40, {CellState::measured, 1.5});
  const std::string svg = to_svg(map, Form::page);
  EXPECT_EQ(testing::xml_problem(svg), "");
  EXPECT_THAT(svg, HasSubstr(">1000</text>"));
  EXPECT_THAT(svg, Not(HasSubstr(">1001</text>")));
  EXPECT_THAT(svg, Not(HasSubstr(">1.50</text>"))) << "no room for numbers";
}

}  // namespace
}  // namespace vyre::report
