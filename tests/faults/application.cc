#include "application.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "testing/tuned_programs.h"
#include "vyre/runtime.h"

namespace vyre::faults {

int application_main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::size_t keys = std::strtoull(argv[3], nullptr, 10);
  const auto print = [](const Event& event) {
    const std::string line = event.message + "\n";
    if (::write(1, line.data(), line.size()) < 0) std::abort();
  };
  auto opened = Runtime::open(open_reference(), {.mode = Mode::natural,

                                                 .miss_budget = {.seconds = 0, .evaluations = 100},
                                                 .files = {.folder = argv[2]},
                                                 .lock_seconds = 60,
                                                 .events = print});
  if (!opened) return 4;
  Runtime& runtime = *opened;
  if (!runtime.declare(testing::busy_program(), {.space = testing::busy_space()})) return 3;
  for (std::size_t key = 0; key < keys; ++key) {
    const std::size_t n = 2500 / (key + 1);
    const auto x = testing::words(n);
    const std::vector<Input> inputs{as_input(x)};
    const auto out = runtime.launch(testing::busy_program(), {.inputs = inputs});
    if (!out || values_of<std::uint32_t>((*out)[0]) != testing::busy_result(n)) return 1;
  }
  return 0;
}

}  // namespace vyre::faults
