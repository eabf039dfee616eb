#include "report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <span>

#include "base/text.h"
#include "report/plot_paths.h"

namespace vyre::report {
namespace {

// Pixels. The inner part of a panel lies within these.
constexpr double kLeft = 52;
constexpr double kRight = 16;
constexpr double kAbove = 30;
constexpr double kBelow = 46;
constexpr double kEdge = 14;
constexpr double kLine = 18;
// How each way to draw looks, by its number.
constexpr std::array<const char*, 5> kClasses{"line", "line dashed", "dots", "dots faint",
                                              "crosses"};

std::string path_element(const Series& series, const std::string& path) {
  if (path.empty()) return {};
  return fmt::format("<path class=\"{} s{}\" d=\"{}\"/>\n",
                     kClasses[static_cast<std::size_t>(series.draw)],
                     static_cast<std::size_t>(series.ink), path);
}

void add_axes(std::string& out, const Panel& panel, const Frame& frame) {
  for (const double tick : ticks_of(panel.x)) {
    const double x = frame.x(tick);
    out += fmt::format("<path class=\"grid\" d=\"M{} {}V{}\"/>\n", number(x), number(frame.top()),
                       number(frame.bottom()));
    out += text_at({x, frame.bottom() + 15}, fmt::format("{:g}", tick),
                   "class=\"dim\" text-anchor=\"middle\"");
  }
  for (const double tick : ticks_of(panel.y)) {
    const double y = frame.y(tick);
    out += fmt::format("<path class=\"grid\" d=\"M{} {}H{}\"/>\n", number(frame.left()), number(y),
                       number(frame.right()));
    out += text_at({frame.left() - 6, y + 4}, fmt::format("{:g}", tick),
                   "class=\"dim\" text-anchor=\"end\"");
  }
  const double middle = (frame.top() + frame.bottom()) / 2;
  out += text_at({(frame.left() + frame.right()) / 2, frame.bottom() + 32}, panel.x.label,
                 "text-anchor=\"middle\"");
  const Corner side{frame.left() - 40, middle};
  out += text_at(side, cut(panel.y.label, panel.height),
                 fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 {} {})\"",
                             number(side.x), number(side.y)));
}

void add_panel(std::string& out, const Panel& panel, const Corner& corner, double width) {
  const Frame frame(panel, corner, width);
  if (!panel.title.empty()) {
    out += text_at({corner.x, corner.y - 10}, cut(panel.title, width), "class=\"panel\"");
  }
  add_axes(out, panel, frame);
  for (const Series& series : panel.series) {
    const std::string path = band_path(frame, series);
    if (path.empty()) continue;
    out += fmt::format("<path class=\"band f{}\" d=\"{}\"/>\n",
                       static_cast<std::size_t>(series.ink), path);
  }
  for (const Series& series : panel.series) out += path_element(series, path_of(frame, series));
  out += fmt::format("<path class=\"frame\" d=\"M{} {}V{}H{}\"/>\n", number(frame.left()),
                     number(frame.top()), number(frame.bottom()), number(frame.right()));
}

std::vector<const Series*> legend_of(const Figure& figure) {
  std::vector<const Series*> out;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      const bool is_there = std::ranges::any_of(
          out, [&](const Series* known) { return known->label == series.label; });
      if (!series.label.empty() && !is_there) out.push_back(&series);
    }
  }
  return out;
}

// Adds as many lines as needed from `y` on; returns where the next part may begin.
double add_legend(std::string& out, const Figure& figure, double y, double width) {
  constexpr double kSample = 26;
  double x = kEdge;
  for (const Series* series : legend_of(figure)) {
    const double needs = kSample + 6 + kCharacter * static_cast<double>(width_of(series->label));
    if (x > kEdge && x + needs > width - kEdge) {
      x = kEdge;
      y += kLine;
    }
    const double middle = x + kSample / 2;
    const std::string path =
        is_line(series->draw)
            ? fmt::format("M{} {}h{}", number(x), number(y - 4), number(kSample))
            : fmt::format("M{} {}{}", number(middle), number(y - 4), mark_path(series->draw));
    out += path_element(*series, path);
    out += text_at({x + kSample + 6, y}, series->label, "");
    x += needs + 18;
  }
  return y + kLine;
}

double add_caption(std::string& out, std::string_view caption, double y) {
  while (!caption.empty()) {
    const std::size_t end = std::min(caption.find('\n'), caption.size());
    out += text_at({kEdge, y}, caption.substr(0, end), "class=\"dim\"");
    caption.remove_prefix(std::min(end + 1, caption.size()));
    y += kLine;
  }
  return y;
}

// A panel without a title needs no room for one.
double room_above(const Panel& panel) { return panel.title.empty() ? kAbove / 3 : kAbove; }

// Adds the panels row by row; returns where the next part may begin.
double add_panels(std::string& out, const Figure& figure, double y) {
  const double step = kLeft + figure.panel_width + kRight;
  for (std::size_t first = 0; first < figure.panels.size(); first += figure.columns) {
    const std::size_t count = std::min(figure.columns, figure.panels.size() - first);
    const auto row = std::span(figure.panels).subspan(first, count);
    const double above = std::ranges::max(row | std::views::transform(room_above));
    for (std::size_t k = 0; k < count; ++k) {
      const Corner corner{kEdge + kLeft + step * static_cast<double>(k), y + above};
      add_panel(out, row[k], corner, figure.panel_width);
    }
    const double height = std::ranges::max(row, {}, &Panel::height).height;
    y += above + height + kBelow;
  }
  return y;
}

}  // namespace

std::string to_svg(const Figure& figure, Form form) {
  const bool is_file = form == Form::file;
  const double width =
      2 * kEdge + (kLeft + figure.panel_width + kRight) * static_cast<double>(figure.columns);
  std::string body;
  if (is_file) {
    body = text_at({kEdge, 28}, cut(figure.title, (width - 2 * kEdge) / 1.25), "class=\"title\"");
  }
  double y = add_legend(body, figure, is_file ? 52 : 16, width);
  y = add_panels(body, figure, y);
  if (is_file) y = add_caption(body, figure.caption, y + kEdge);
  return drawing({width, y}, figure.title, body, form);
}

}  // namespace vyre::report
