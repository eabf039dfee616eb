#include "backend/cuda/image.h"

#include <gtest/gtest.h>

namespace vyre::backend::cuda {
namespace {

constexpr std::string_view kPtx = R"(
.version 9.0
.target sm_80
.visible .entry k_none()
{ ret; }
.visible .entry k_scale_more(
	.param .u32 k_scale_more_param_0
)
{ ret; }
.visible .entry k_scale(
	.param .u64 .ptr .align 1 k_scale_param_0,
	.param .u32 k_scale_param_1,
	.param .f64 k_scale_param_2,
	.param .align 4 .b8 k_scale_param_3[12],
	.param .u8 k_scale_param_4
)
.maxntid 64, 1, 1
{ ret; }
.entry k_bare
{ ret; }
)";

using Sizes = std::vector<std::uint32_t>;

TEST(CudaImage, PtxTellsTheSizesOfParameters) {
  EXPECT_EQ(ptx_parameters(kPtx, "k_scale"), (Sizes{8, 4, 8, 12, 1}));
  EXPECT_EQ(ptx_parameters(kPtx, "k_scale_more"), Sizes{4});
  EXPECT_EQ(ptx_parameters(kPtx, "k_none"), Sizes{});
  EXPECT_EQ(ptx_parameters(kPtx, "k_bare"), Sizes{});
  EXPECT_EQ(ptx_parameters(kPtx, "k_sca"), std::nullopt);
  EXPECT_EQ(ptx_parameters("", "k_scale"), std::nullopt);
  EXPECT_EQ(ptx_parameters(".entry", "k"), std::nullopt);
  EXPECT_EQ(ptx_parameters(".entry k(.param .u32 a", "k"), Sizes{4});
}

TEST(CudaImage, IsPackedAndUnpacked) {
  const std::string bytes(
      "\x7f"
      "ELF\0 and more",
      13);
  for (const Image& image : {Image{Form::binary, bytes, "k_scale", {}, Sizes{8, 4}},
                             Image{Form::ptx, "text", "_Z1kv", {"filter", ""}, Sizes{}},
                             Image{Form::binary, "code", "k", {}, std::nullopt}}) {
    EXPECT_EQ(unpacked(packed(image)), image);
  }
}

TEST(CudaImage, OtherBytesAreNoImage) {
  const std::string whole = packed({Form::binary, "code", "k", {"c"}, Sizes{8, 4}});
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    EXPECT_EQ(unpacked(std::string_view(whole).substr(0, cut)), std::nullopt) << cut;
  }
  EXPECT_EQ(unpacked(whole + "x"), std::nullopt);
  EXPECT_EQ(unpacked(packed({Form::binary, "", "k", {}, std::nullopt})), std::nullopt);
}

}  // namespace
}  // namespace vyre::backend::cuda
