#include <string>
#include <vector>

#include "cli/command.h"

int main(int argc, char** argv) {
  return vyre::cli::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
