// A campaign as a figure: its samples in order, and the candidates that the race dropped.

#pragma once

#include "report/plot.h"
#include "tune/history.h"

namespace vyre::report {

Figure campaign_figure(const History& history);

}  // namespace vyre::report
