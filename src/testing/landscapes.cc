#include "testing/landscapes.h"

#include <cmath>
#include <random>

namespace vyre::testing {

recording::Recording small_landscape() {
  recording::Recording out;
  const auto add = [&](const char* name, std::initializer_list<std::int64_t> values) {
    space::Parameter p{name, {}};
    for (const std::int64_t v : values) p.values.emplace_back(v);
    out.parameters.push_back(std::move(p));
  };
  add("block", {16, 32, 64, 128, 256});
  add("tile", {1, 2, 4, 8});
  add("order", {0, 1, 2});
  add("cached", {0, 1});
  std::uint32_t count = 0;
  for (std::uint32_t a = 0; a < 5; ++a) {
    for (std::uint32_t b = 0; b < 4; ++b) {
      for (std::uint32_t c = 0; c < 3; ++c) {
        for (std::uint32_t d = 0; d < 2; ++d) {
          recording::Row row{.point = {a, b, c, d}, .compile_ms = 50};
          if (++count % 10 == 0) {
            row.status = recording::Status::runtime;
          } else {
            const double bowl = std::pow(a - 3.0, 2) + std::pow(b - 1.0, 2);
            row.time_ms = (1 + bowl) * (c == 2 ? 1.0 : 1.3 + c) * (d == 1 ? 1.0 : 1.05);
            row.run_ms = {*row.time_ms, *row.time_ms};
          }
          out.rows.push_back(std::move(row));
        }
      }
    }
  }
  return out;
}

recording::Recording noisy_landscape() {
  recording::Recording out = small_landscape();
  std::mt19937 random(7);
  std::normal_distribution<double> noise(1, 0.01);
  for (recording::Row& row : out.rows) {
    if (!row.time_ms) continue;
    for (int k = 0; k < 5; ++k) row.run_ms.push_back(*row.time_ms * noise(random));
    row.compile_ms = 100;
  }
  return out;
}

}  // namespace vyre::testing
