#include "cli/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/escape_xml.h"
#include "cli/plot_paths.h"
#include "cli/table.h"

namespace vyre::cli {
namespace {

// Pixels. The inner part of a panel lies within these; text is 12 high.
constexpr double kLeft = 52;
constexpr double kRight = 16;
constexpr double kAbove = 30;
constexpr double kBelow = 46;
constexpr double kEdge = 14;
constexpr double kLine = 18;
constexpr double kCharacter = 6.6;  // a wide guess: what is too long is cut by it

constexpr const char* kStyle = R"(<style>
text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#1f2328}
.title{font-size:15px;font-weight:600}.panel{font-weight:600}.dim{fill:#59636e}
.paper{fill:#ffffff}.grid{stroke:#e4e8ec}.frame{fill:none;stroke:#8c959f}
.band{stroke:none;fill-opacity:.12}.line{fill:none;stroke-width:1.8;stroke-linejoin:round}
.dashed{stroke-dasharray:6 4}.dots{fill:none;stroke-width:4.4;stroke-linecap:round}
.faint{stroke-width:3.4;stroke-opacity:.6}.crosses{fill:none;stroke-width:1.3}
.s0{stroke:#6e7781}.s1{stroke:#0969da}.s2{stroke:#d4630a}.s3{stroke:#1a7f5a}.s4{stroke:#8250df}
.s5{stroke:#cf222e}
.f0{fill:#6e7781}.f1{fill:#0969da}.f2{fill:#d4630a}.f3{fill:#1a7f5a}.f4{fill:#8250df}
.f5{fill:#cf222e}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.dim{fill:#9aa4af}.paper{fill:#0d1117}.grid{stroke:#252c35}.frame{stroke:#6e7681}
.band{fill-opacity:.14}.faint{stroke-opacity:.75}
.s0{stroke:#9aa4af}.s1{stroke:#58a6ff}.s2{stroke:#f0a04b}.s3{stroke:#3fc08a}.s4{stroke:#b794ff}
.s5{stroke:#ff7b72}
.f0{fill:#9aa4af}.f1{fill:#58a6ff}.f2{fill:#f0a04b}.f3{fill:#3fc08a}.f4{fill:#b794ff}
.f5{fill:#ff7b72}
}
</style>
)";

// How each way to draw looks, by its number.
constexpr std::array<const char*, 5> kClasses{"line", "line dashed", "dots", "dots faint",
                                              "crosses"};

std::string text_at(const Corner& at, std::string_view text, std::string_view attributes) {
  return fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", number(at.x), number(at.y),
                     attributes.empty() ? "" : " ", attributes, escape_xml(text));
}

// As much of the text as fits, counted in characters; the bytes of one character stay together.
std::string cut(std::string_view text, double width) {
  const auto most = static_cast<std::size_t>(width / kCharacter);
  if (width_of(text) <= most) return std::string(text);
  std::size_t bytes = 0;
  for (std::size_t characters = 0; bytes < text.size(); ++bytes) {
    const bool starts = (static_cast<unsigned char>(text[bytes]) & 0xc0U) != 0x80;
    if (starts && ++characters == most) break;
  }
  return std::string(text.substr(0, bytes)) + "…";
}

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
  out += text_at({corner.x, corner.y - 10}, cut(panel.title, width), "class=\"panel\"");
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

// Adds the panels row by row; returns where the next part may begin.
double add_panels(std::string& out, const Figure& figure, double y) {
  const double step = kLeft + figure.panel_width + kRight;
  for (std::size_t first = 0; first < figure.panels.size(); first += figure.columns) {
    const std::size_t count = std::min(figure.columns, figure.panels.size() - first);
    double height = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const Panel& panel = figure.panels[first + k];
      const Corner corner{kEdge + kLeft + step * static_cast<double>(k), y + kAbove};
      add_panel(out, panel, corner, figure.panel_width);
      height = std::max(height, panel.height);
    }
    y += kAbove + height + kBelow;
  }
  return y;
}

}  // namespace

std::string to_svg(const Figure& figure) {
  const double width =
      2 * kEdge + (kLeft + figure.panel_width + kRight) * static_cast<double>(figure.columns);
  std::string body =
      text_at({kEdge, 28}, cut(figure.title, (width - 2 * kEdge) / 1.25), "class=\"title\"");
  double y = add_legend(body, figure, 52, width);
  y = add_panels(body, figure, y);
  y = add_caption(body, figure.caption, y + kEdge);
  const std::string size = fmt::format("{} {}", number(width), number(y));
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {2}\" "
      "role=\"img\">\n<title>{3}</title>\n{4}<rect class=\"paper\" width=\"{0}\" height=\"{1}\"/>\n"
      "{5}</svg>\n",
      number(width), number(y), size, escape_xml(figure.title), kStyle, body);
}

}  // namespace vyre::cli
