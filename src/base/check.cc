#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace vyre {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: this is a bug in vyre: %s does not hold\n", file, line, condition);
  std::abort();
}

}  // namespace vyre
