#include "report/html.h"

#include <fmt/format.h>

#include "report/escape_xml.h"
#include "report/svg.h"

namespace vyre::report {
namespace {

constexpr double kMostCharacters = 400;
constexpr double kMostOfText = 20'000;

std::string shown_text(std::string_view text) {
  return escape_xml(cut(text, kMostCharacters * kCharacter));
}

std::string cell_html(const HtmlCell& cell, bool is_number, bool is_first) {
  const std::string sorts =
      cell.sorts_as ? fmt::format(" data-v=\"{:.9g}\"", *cell.sorts_as) : std::string();
  const char* style = is_number ? " class=\"number\"" : "";
  if (is_first)
    return fmt::format("<th scope=\"row\"{}{}>{}</th>", style, sorts, shown_text(cell.text));
  return fmt::format("<td{}{}>{}</td>", style, sorts, shown_text(cell.text));
}

std::string row_html(const HtmlTable& table, const std::vector<HtmlCell>& row) {
  std::string out = "<tr>";
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    static const HtmlCell kEmpty;
    out += cell_html(k < row.size() ? row[k] : kEmpty, table.columns[k].is_number, k == 0);
  }
  return out + "</tr>\n";
}

}  // namespace

std::string paragraph(std::string_view text, std::string_view style) {
  if (style.empty()) return fmt::format("<p>{}</p>\n", escape_xml(text));
  return fmt::format("<p class=\"{}\">{}</p>\n", style, escape_xml(text));
}

std::string heading(int level, std::string_view text, std::string_view id) {
  const std::string name = id.empty() ? std::string() : fmt::format(" id=\"{}\"", id);
  return fmt::format("<h{0}{1}>{2}</h{0}>\n", level, name, shown_text(text));
}

std::string to_html(const HtmlTable& table) {
  const std::string caption = shown_text(table.caption);
  std::string out = fmt::format(
      "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\">\n"
      "<table{1}>\n<caption>{0}</caption>\n<thead><tr>",
      caption, table.is_sortable ? " class=\"sortable\"" : "");
  for (const HtmlColumn& column : table.columns) {
    out += fmt::format("<th scope=\"col\"{}>{}</th>", column.is_number ? " class=\"number\"" : "",
                       shown_text(column.title));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) out += row_html(table, row);
  return out + "</tbody>\n</table>\n</div>\n";
}

std::string to_html(std::span<const Fact> facts) {
  std::string out = "<dl>\n";
  for (const Fact& fact : facts) {
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", shown_text(fact.title),
                       escape_xml(cut(fact.text, kMostOfText * kCharacter)));
  }
  return out + "</dl>\n";
}

std::string figure_html(std::string_view svg, std::string_view title, std::string_view caption) {
  return fmt::format("<figure>\n<figcaption><strong>{}</strong> {}</figcaption>\n{}</figure>\n",
                     shown_text(title), escape_xml(caption), svg);
}

}  // namespace vyre::report
