#include "fake_cuda/driver/wishes.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace fake_cuda {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace

int wished_devices() { return static_cast<int>(number_from("VYRE_FAKE_CUDA_DEVICES", 1)); }
int wished_version() { return static_cast<int>(number_from("VYRE_FAKE_CUDA_VERSION", 13090)); }
int wished_architecture() { return static_cast<int>(number_from("VYRE_FAKE_CUDA_ARCH", 80)); }
std::uint64_t wished_memory() {
  return number_from("VYRE_FAKE_CUDA_MEMORY", std::uint64_t{4} << 30);
}
std::uint64_t wished_steps() { return number_from("VYRE_FAKE_CUDA_STEPS", std::uint64_t{1} << 33); }
bool wishes_log() { return std::getenv("VYRE_FAKE_CUDA_LOG") != nullptr; }

void note_module() {
  const char* file = std::getenv("VYRE_FAKE_CUDA_MODULES");
  if (file == nullptr) return;
  const std::string line = std::to_string(::getpid()) + " " + std::to_string(::getppid()) + "\n";
  std::ofstream(file, std::ios::app) << line;
}

void InjectedFailures::read_again(const std::string& text) {
  text_ = text;
  wishes_.clear();
  calls_.clear();
  std::istringstream list(text);
  for (std::string item; std::getline(list, item, ',');) {
    std::istringstream parts(item);
    Wish wish;
    std::string error, call;
    std::getline(parts, wish.entry_point, ':');
    std::getline(parts, error, ':');
    std::getline(parts, call, ':');
    wish.error = static_cast<int>(std::strtol(error.c_str(), nullptr, 10));
    if (!call.empty()) wish.call = std::strtoull(call.c_str(), nullptr, 10);
    wish.and_later = call.ends_with('+');
    wishes_.push_back(wish);
  }
}

int InjectedFailures::error_of_call(const std::string& entry_point) {
  const char* text = std::getenv("VYRE_FAKE_CUDA_FAIL");
  if (text_ != (text != nullptr ? text : "")) read_again(text != nullptr ? text : "");
  if (wishes_.empty()) return 0;
  const std::uint64_t call = ++calls_[entry_point];
  for (const Wish& wish : wishes_) {
    if (wish.entry_point != entry_point) continue;
    if (call == wish.call || (wish.and_later && call > wish.call)) return wish.error;
  }
  return 0;
}

}  // namespace fake_cuda
