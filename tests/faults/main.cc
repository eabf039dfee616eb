#include <gtest/gtest.h>

#include <string_view>

#include "application.h"
#include "saver.h"

int main(int argc, char** argv) {
  const std::string_view role = argc > 1 ? argv[1] : "";
  if (role == "--saver") return vyre::faults::saver_main(argc, argv);
  if (role == "--application") return vyre::faults::application_main(argc, argv);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
