#include <gtest/gtest.h>

#include <string_view>

#include "saver.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--saver")
    return vyre::faults::saver_main(argc, argv);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
