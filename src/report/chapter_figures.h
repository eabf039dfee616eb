// The drawings of a chapter. Each is a pure function of it; a figure without panels, bars or cells
// has nothing to show.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "report/bars.h"
#include "report/effects.h"
#include "report/heatmap.h"
#include "report/plot.h"

namespace vyre::report {

enum class Against : std::uint8_t { evaluations, seconds };

// The fastest configuration so far, the default, and all that were measured.
Figure progress_figure(const Chapter& chapter, Against against);

// The same of several chapters in one panel, each as a fraction of its own fastest.
Figure comparison_figure(std::span<const Chapter> chapters);

// The samples of the chosen configuration, the default, and the fastest of the others: six at most.
Figure finalists_figure(const Chapter& chapter);

// How much of the differences in time each parameter explains.
Bars parameter_bars(const Chapter& chapter, const Effects& effects);

// How much slower each value of a parameter is than its best one, by the model.
Bars value_bars(const Chapter& chapter, const ParameterEffect& effect);

// The fastest time for each pair of values.
Heatmap pair_heatmap(const Chapter& chapter, std::size_t row_parameter,
                     std::size_t column_parameter);

Bars time_bars(const Chapter& chapter);

// A value as people read it: texts without quotes.
std::string value_text(const Value& value);

}  // namespace vyre::report
