// How `--help` is laid out: as CLI11 does it, in lines that a terminal does not break.

#pragma once

#include <memory>

namespace CLI {
class Formatter;
}

namespace vyre::cli {

// For the top command, before others are added: they inherit it.
std::shared_ptr<CLI::Formatter> help_format();

}  // namespace vyre::cli
