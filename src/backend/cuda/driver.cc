#include "backend/cuda/driver.h"

#include <utility>
#include <vector>

#include "backend/cuda/library.h"
#include "base/error.h"

namespace vyre::backend::cuda {
namespace {

std::vector<std::string> driver_names(Api api, const std::string& library) {
  if (!library.empty()) return {library};
  if (api == Api::cuda) return {"libcuda.so.1"};
  return {"libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"};
}

struct Numbers {
  Attribute attribute;
  int cuda;
  int hip;
};
// CUdevice_attribute of CUDA, and hipDeviceAttribute_t of ROCm 5 and 6.
constexpr std::array kNumbers{
    Numbers{Attribute::block_threads, 1, 56},
    Numbers{Attribute::block_x, 2, 26},
    Numbers{Attribute::block_y, 3, 27},
    Numbers{Attribute::block_z, 4, 28},
    Numbers{Attribute::grid_x, 5, 29},
    Numbers{Attribute::grid_y, 6, 30},
    Numbers{Attribute::grid_z, 7, 31},
    Numbers{Attribute::block_shared_bytes, 8, 74},
    // A workgroup of HIP may use all that there is without asking.
    Numbers{Attribute::block_shared_bytes_opt_in, 97, 74},
    Numbers{Attribute::processors, 16, 63},
    Numbers{Attribute::capability_major, 75, 23},
    Numbers{Attribute::capability_minor, 76, 61},
};

}  // namespace

Expected<std::shared_ptr<const Driver>> load_driver(Api api, const std::string& library) {
  const bool is_cuda = api == Api::cuda;
  const auto opened = Library::open(driver_names(api, library));
  if (!opened) {
    return backend_error("there is no {} driver: {}; install {}", is_cuda ? "CUDA" : "HIP",
                         opened.error().message,
                         is_cuda ? "NVIDIA's driver, which has libcuda.so.1"
                                 : "AMD's ROCm runtime, which has libamdhip64.so");
  }
  const std::string remedy =
      is_cuda ? "install NVIDIA's driver for CUDA 11 or newer" : "install AMD's ROCm 5.2 or newer";
  auto out = std::make_shared<Driver>(Driver{.api = api});
#define VYRE_DRIVER_FUNCTION(member, cuda, hip, parameters) \
  VYRE_TRY_VOID(resolve(*opened, is_cuda ? cuda : hip, out->call.member, remedy));
#include "backend/cuda/driver_functions.def"
#undef VYRE_DRIVER_FUNCTION
  return out;
}

int number_of(Api api, Attribute attribute) {
  const Numbers& row = kNumbers[std::to_underlying(attribute)];
  return api == Api::cuda ? row.cuda : row.hip;
}

}  // namespace vyre::backend::cuda
