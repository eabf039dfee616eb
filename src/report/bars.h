// Bars: one number for each of a few things, largest to be read at a glance.

#pragma once

#include <string>
#include <vector>

#include "report/plot.h"

namespace vyre::report {

struct Bar {
  std::string label = {};
  double value = 0;       // 0 or more; what is not finite has no bar
  std::string text = {};  // the number, as people read it
  Ink ink = Ink::blue;
};

struct Bars {
  std::string title;
  std::vector<Bar> bars = {};
};

std::string to_svg(const Bars& bars, Form form = Form::file);

}  // namespace vyre::report
