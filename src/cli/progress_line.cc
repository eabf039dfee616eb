#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/text.h"
#include "cli/tune_report.h"

namespace vyre::cli {

ProgressLine::ProgressLine(std::string name, double budget)
    : name_(std::move(name)), budget_(budget), is_on_terminal_(::isatty(STDERR_FILENO) != 0) {
  wait(0);
}

ProgressLine::~ProgressLine() {
  if (is_on_terminal_) fmt::print(stderr, "\r\x1b[K");
}

void ProgressLine::wait(double seconds) {
  if (!has_measured_) draw(fmt::format("compiling the default, {:.0f} s", std::floor(seconds)));
}

void ProgressLine::show(const Progress& p) {
  has_measured_ = p.best_ns > 0;
  if (!has_measured_) {
    return draw(fmt::format("measuring the default, {:.0f} s", std::floor(p.seconds)));
  }
  const std::string time = budget_ > 0
                               ? fmt::format("{:.0f} s left", std::max(0.0, budget_ - p.seconds))
                               : fmt::format("{:.0f} s", p.seconds);
  draw(fmt::format("best {}, {:.2f} x, {} tried, {} failed, {}", ms_text(p.best_ns),
                   p.default_ns / p.best_ns, p.evaluations, p.failures, time));
}

void ProgressLine::print_above(std::string_view text) {
  fmt::print(stderr, "{}{}\n", is_on_terminal_ ? "\r\x1b[K" : "", escaped(text));
  draw(std::exchange(shown_, {}));
}

void ProgressLine::draw(std::string text) {
  if (!is_on_terminal_ || text == shown_) return;
  fmt::print(stderr, "\r\x1b[K{}: {}", name_, text);
  std::fflush(stderr);
  shown_ = std::move(text);
}

}  // namespace vyre::cli
