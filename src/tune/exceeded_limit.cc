#include "tune/exceeded_limit.h"

#include <fmt/format.h>

#include <charconv>

namespace vyre {
namespace {

constexpr std::string_view kBuild = "compiling took more than ";
constexpr std::string_view kRun = "a run took more than ";
constexpr std::string_view kUnit = " s";

}  // namespace

std::string to_string(const ExceededLimit& limit) {
  const bool is_build = limit.kind == ExceededLimit::Kind::build;
  return fmt::format("{}{:.6g}{}", is_build ? kBuild : kRun, limit.seconds, kUnit);
}

std::optional<ExceededLimit> exceeded_limit_in(std::string_view why) {
  const bool is_build = why.starts_with(kBuild);
  if (!is_build && !why.starts_with(kRun)) return std::nullopt;
  why.remove_prefix(is_build ? kBuild.size() : kRun.size());
  double seconds = 0;
  const auto [end, error] = std::from_chars(why.data(), why.data() + why.size(), seconds);
  why.remove_prefix(static_cast<std::size_t>(end - why.data()));
  if (error != std::errc() || why != kUnit) return std::nullopt;
  return ExceededLimit{is_build ? ExceededLimit::Kind::build : ExceededLimit::Kind::run, seconds};
}

}  // namespace vyre
