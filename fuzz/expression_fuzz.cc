// Any text, compiled and evaluated: an error or a value, never a crash, and soon.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/space.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vyre;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string> names = {"a", "b", "f", "t", "s"};
  const std::vector<Value> values = {std::int64_t{64}, std::int64_t{-3}, 2.5, true,
                                     std::string("row")};
  space::ExpressionLimits limits;
  limits.most_steps = 50'000;
  space::Place place;
  const auto expression = space::Expression::compile(text, names, &place, limits);
  const auto value = expression ? expression->evaluate(values, &place)
                                : Expected<Value>(std::unexpected(expression.error()));
  if (!value) {
    static_cast<void>(space::show(place));
    if (value.error().message.find('\n') != std::string::npos) std::abort();
    if (place.offset > place.text.size()) std::abort();
  }
  if (expression) {
    static_cast<void>(expression->evaluate_list(values));
    static_cast<void>(expression->test(values));
  }
  return 0;
}
