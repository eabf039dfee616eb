#include <cstdlib>

#include "vyre/config.h"

namespace vyre {
namespace {

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::optional<std::filesystem::path> cache_base(const EnvironmentVariables& variables) {
  const auto& xdg = variables.xdg_cache_home;
  if (xdg && std::filesystem::path(*xdg).is_absolute()) return *xdg;
  if (variables.home && !variables.home->empty()) {
    return std::filesystem::path(*variables.home) / ".cache";
  }
  return std::nullopt;
}

}  // namespace

Environment from_variables(const EnvironmentVariables& variables) {
  Environment out;
  const ModeChoice choice = from_env_value(variables.autotuner);
  out.mode = choice.mode;
  if (!choice.warning.empty()) out.warnings.push_back(choice.warning);
  if (const auto base = cache_base(variables)) {
    out.files.folder = *base / "vyre";
  } else {
    out.warnings.emplace_back(
        "neither XDG_CACHE_HOME nor HOME names a folder; decisions are kept in memory only: set "
        "one of them to keep them");
  }
  return out;
}

Environment from_env() {
  return from_variables({.autotuner = variable("VYRE_AUTOTUNER"),
                         .xdg_cache_home = variable("XDG_CACHE_HOME"),
                         .home = variable("HOME")});
}

}  // namespace vyre
