#include "fake_cuda/driver/limits.h"

#include "fake_cuda/driver/wishes.h"

namespace fake_cuda {
namespace {

struct AttributeRow {
  int attribute;
  std::uint64_t value;
};

constexpr std::array kAttributes{
    AttributeRow{1, kMostThreads},
    AttributeRow{2, kMostBlock[0]},
    AttributeRow{3, kMostBlock[1]},
    AttributeRow{4, kMostBlock[2]},
    AttributeRow{5, kMostGrid[0]},
    AttributeRow{6, kMostGrid[1]},
    AttributeRow{7, kMostGrid[2]},
    AttributeRow{8, kMostShared},
    AttributeRow{9, kMostConstant},
    AttributeRow{10, 32},          // threads of a warp
    AttributeRow{11, 2147483647},  // pitch
    AttributeRow{12, 65536},       // registers of a block
    AttributeRow{13, 1000000},     // kHz
    AttributeRow{14, 512},         // alignment of textures
    AttributeRow{16, 2},           // multiprocessors
    AttributeRow{31, 1},           // concurrent kernels
    AttributeRow{36, 1000000},     // kHz of the memory
    AttributeRow{37, 64},          // bits of its bus
    AttributeRow{38, 1048576},     // bytes of the L2 cache
    AttributeRow{39, 2048},        // threads of a multiprocessor
    AttributeRow{40, 1},           // copy engines
    AttributeRow{41, 1},           // unified addressing
    AttributeRow{81, 164 * 1024},  // shared memory of a multiprocessor
    AttributeRow{82, 65536},       // registers of a multiprocessor
    AttributeRow{97, kMostSharedAsked},
    AttributeRow{106, 32},    // blocks of a multiprocessor
    AttributeRow{111, 1024},  // shared memory that the system keeps
};

constexpr int kBusId = 33;
constexpr int kMajor = 75;
constexpr int kMinor = 76;
constexpr int kLastAttribute = 150;

}  // namespace

std::optional<int> device_attribute(int attribute, int device) {
  if (attribute <= 0 || attribute > kLastAttribute) return std::nullopt;
  if (attribute == kBusId) return 0xF0 + device;
  if (attribute == kMajor) return wished_architecture() / 10;
  if (attribute == kMinor) return wished_architecture() % 10;
  for (const AttributeRow& row : kAttributes) {
    if (row.attribute == attribute) return static_cast<int>(row.value);
  }
  return 0;
}

}  // namespace fake_cuda
