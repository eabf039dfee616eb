// The elements of a report's page. All text is escaped here and nowhere else: callers give text as
// it is, and only what these functions return goes into the page.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/decision_facts.h"

namespace vyre::report {

std::string paragraph(std::string_view text, std::string_view style = "");
// `level` is 1 to 6; `id` is empty or a word of ours.
std::string heading(int level, std::string_view text, std::string_view id = "");

struct HtmlCell {
  std::string text = {};                // cut after 400 characters
  std::optional<double> sorts_as = {};  // for numbers; none: by its text
};

struct HtmlColumn {
  std::string title;
  bool is_number = false;
};

// The first cell of a row is its heading. A wide table scrolls within its box.
struct HtmlTable {
  std::string caption;
  std::vector<HtmlColumn> columns = {};
  std::vector<std::vector<HtmlCell>> rows = {};
  bool is_sortable = false;  // by a script; without it the order stays
};
std::string to_html(const HtmlTable& table);

std::string to_html(std::span<const Fact> facts);

// A drawing, as to_svg makes it for pages, below a title and what there is to say about it.
std::string figure_html(std::string_view svg, std::string_view title,
                        std::string_view caption = "");

}  // namespace vyre::report
