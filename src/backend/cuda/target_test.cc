// Which compiler serves which device, over scripted compilers.

#include "backend/cuda/target.h"

#include <gtest/gtest.h>

#include "testing/scripted_cuda.h"

namespace vyre::backend::cuda {
namespace {

std::shared_ptr<const Compiler> compiler_of(int major, int minor, std::vector<int> architectures) {
  testing::CudaScript& script = testing::new_cuda_script();
  script.compiler_major = major;
  script.compiler_minor = minor;
  script.architectures = std::move(architectures);
  return testing::scripted_compilers()->front();
}

const Compilers& both() {
  static const Compilers compilers{compiler_of(13, 0, {75, 80, 90, 120}),
                                   compiler_of(12, 4, {90, 50, 61, 80})};
  return compilers;
}

struct Choice {
  std::string_view name;
  int capability;
  int driver_version;
  std::string_view compiler;
  Form form;
  std::string_view architecture;
};

TEST(CudaTarget, IsTheFirstCompilerThatServesDeviceAndDriver) {
  for (const Choice& c : {
           Choice{"known", 80, 13000, "NVRTC 13.0", Form::binary, "sm_80"},
           Choice{"old device", 61, 13000, "NVRTC 12.4", Form::binary, "sm_61"},
           Choice{"old driver", 80, 12020, "NVRTC 12.4", Form::binary, "sm_80"},
           Choice{"newer device", 130, 13010, "NVRTC 13.0", Form::ptx, "compute_120"},
           Choice{"newer device, old driver", 100, 12080, "NVRTC 12.4", Form::ptx, "compute_90"},
           Choice{"between two", 86, 13000, "NVRTC 13.0", Form::ptx, "compute_80"},
       }) {
    const auto target = choose_target(both(), c.capability, c.driver_version);
    ASSERT_TRUE(target) << c.name << ": " << target.error().message;
    EXPECT_EQ(target->compiler->name(), c.compiler) << c.name;
    EXPECT_EQ(target->form, c.form) << c.name;
    EXPECT_EQ(target->architecture, c.architecture) << c.name;
    EXPECT_TRUE(target->ptx_architecture.starts_with("compute_")) << c.name;
  }
}

TEST(CudaTarget, SaysWhatToInstallWhereThereIsNone) {
  const Compilers newest{both().front()};
  const auto message = [](const Compilers& compilers, int capability, int driver_version) {
    const auto target = choose_target(compilers, capability, driver_version);
    return target ? "" : target.error().message;
  };
  EXPECT_EQ(message(newest, 80, 12040),
            "the driver is for CUDA 12.4 and cannot load what NVRTC 13.0 makes; install a newer "
            "driver, or libnvrtc.so.12");
  EXPECT_EQ(message(newest, 61, 13000),
            "NVRTC 13.0 compiles for sm_75 and newer, the device is sm_61; install an older NVRTC "
            "(libnvrtc.so.12)");
  EXPECT_EQ(message(both(), 130, 12020),
            "NVRTC 12.4 does not know sm_130, and the driver for CUDA 12.2 is too old for its PTX; "
            "install a newer driver or a newer NVRTC");
  EXPECT_EQ(message(both(), 80, 11040),
            "the driver is for CUDA 11.4 and cannot load what NVRTC 12.4 makes; install a newer "
            "driver, or libnvrtc.so.11");
}

}  // namespace
}  // namespace vyre::backend::cuda
