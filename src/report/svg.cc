#include "report/svg.h"

#include <fmt/format.h>

#include "base/text.h"
#include "report/escape_xml.h"

namespace vyre::report {
namespace {

// Text on every shade has a contrast of 4.5 or more.
constexpr std::string_view kStyle =
    R"(text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
fill:#1f2328}
.title{font-size:15px;font-weight:600}.panel{font-weight:600}.dim{fill:#59636e}
.paper{fill:#ffffff}.grid{stroke:#e4e8ec}.frame{fill:none;stroke:#8c959f}
.band{stroke:none;fill-opacity:.12}.line{fill:none;stroke-width:1.8;stroke-linejoin:round}
.dashed{stroke-dasharray:6 4}.dots{fill:none;stroke-width:4.4;stroke-linecap:round}
.faint{stroke-width:3.4;stroke-opacity:.6}.crosses{fill:none;stroke-width:1.3}
.s0{stroke:#6e7781}.s1{stroke:#0969da}.s2{stroke:#d4630a}.s3{stroke:#1a7f5a}.s4{stroke:#8250df}
.s5{stroke:#cf222e}
.f0{fill:#6e7781}.f1{fill:#0969da}.f2{fill:#d4630a}.f3{fill:#1a7f5a}.f4{fill:#8250df}
.f5{fill:#cf222e}
.q{fill:none;stroke:#c5ccd3;stroke-dasharray:2 3}
.q0{fill:#0a4785}.q0+text{fill:#fff}.q1{fill:#1b66ad}.q1+text{fill:#fff}
.q2{fill:#3f86cc}.q2+text{fill:#000}.q3{fill:#78aede}.q3+text{fill:#000}
.q4{fill:#a9cdec}.q4+text{fill:#1f2328}.q5{fill:#cfe3f5}.q5+text{fill:#1f2328}
.q6{fill:#eaf3fb}.q6+text{fill:#1f2328}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.dim{fill:#9aa4af}.paper{fill:#0d1117}.grid{stroke:#252c35}.frame{stroke:#6e7681}
.band{fill-opacity:.14}.faint{stroke-opacity:.75}
.s0{stroke:#9aa4af}.s1{stroke:#58a6ff}.s2{stroke:#f0a04b}.s3{stroke:#3fc08a}.s4{stroke:#b794ff}
.s5{stroke:#ff7b72}
.f0{fill:#9aa4af}.f1{fill:#58a6ff}.f2{fill:#f0a04b}.f3{fill:#3fc08a}.f4{fill:#b794ff}
.f5{fill:#ff7b72}
.q{stroke:#3d4650}
.q0{fill:#b6dbff}.q0+text{fill:#0d1117}.q1{fill:#8cc1f7}.q1+text{fill:#0d1117}
.q2{fill:#5f9fe0}.q2+text{fill:#0d1117}.q3{fill:#3a74b4}.q3+text{fill:#fff}
.q4{fill:#2b5a91}.q4+text{fill:#fff}.q5{fill:#1f4067}.q5+text{fill:#fff}
.q6{fill:#172a42}.q6+text{fill:#fff}
}
)";

}  // namespace

std::string number(double value) {
  std::string out = fmt::format("{:.1f}", value);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out == "-0" ? "0" : out;
}

std::string text_at(const Corner& at, std::string_view text, std::string_view attributes) {
  return fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", number(at.x), number(at.y),
                     attributes.empty() ? "" : " ", attributes, escape_xml(text));
}

// The bytes of one character stay together.
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

std::string_view drawing_style() { return kStyle; }

std::string drawing(const Corner& size, std::string_view title, std::string_view body, Form form) {
  const std::string width = number(size.x);
  const std::string height = number(size.y);
  if (form == Form::page) {
    return fmt::format(
        "<svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "aria-label=\"{2}\">\n"
        "{3}</svg>\n",
        width, height, escape_xml(title), body);
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" "
      "role=\"img\">\n<title>{2}</title>\n<style>\n{3}</style>\n"
      "<rect class=\"paper\" width=\"{0}\" height=\"{1}\"/>\n{4}</svg>\n",
      width, height, escape_xml(title), kStyle, body);
}

}  // namespace vyre::report
