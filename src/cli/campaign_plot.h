// A campaign as a figure: its samples in order, and the candidates that the race dropped.

#pragma once

#include "cli/plot.h"
#include "tune/history.h"

namespace vyre::cli {

Figure campaign_figure(const History& history);

}  // namespace vyre::cli
