// Wishes: what a test asks of the fake driver through the environment.
//
//   VYRE_FAKE_CUDA_FAIL     cuMemAlloc_v2:2:3,cuLaunchKernel:719   entry point, error, at which
//   call.
//                           Without a number it is the first call; 3+ is the third and all later
//                           ones. Counting starts anew when the variable changes.
//   VYRE_FAKE_CUDA_DEVICES  how many devices there are; 1
//   VYRE_FAKE_CUDA_VERSION  what cuDriverGetVersion says, 12040 for 12.4; 13090
//   VYRE_FAKE_CUDA_ARCH     compute capability, 90 for 9.0; 80
//   VYRE_FAKE_CUDA_MEMORY   bytes of a device's memory; 4 GiB
//   VYRE_FAKE_CUDA_STEPS    instructions of all threads of a launch before it times out; 2^33
//   VYRE_FAKE_CUDA_LOG      if set, each fault is a line on stderr
//   VYRE_FAKE_CUDA_MODULES  a file that gets a line for each module that is loaded: the numbers of
//                           the process and of its parent

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fake_cuda {

// For VYRE_FAKE_CUDA_MODULES.
void note_module();

int wished_devices();
int wished_version();
int wished_architecture();
std::uint64_t wished_memory();
std::uint64_t wished_steps();
bool wishes_log();

class InjectedFailures {
 public:
  // Counts a call of an entry point; gives the error that it shall return, or 0.
  int error_of_call(const std::string& entry_point);

 private:
  struct Wish {
    std::string entry_point;
    int error = 0;
    std::uint64_t call = 1;
    bool and_later = false;
  };

  void read_again(const std::string& text);

  std::string text_;
  std::vector<Wish> wishes_;
  std::map<std::string, std::uint64_t> calls_;
};

}  // namespace fake_cuda
