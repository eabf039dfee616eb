#include "fake_cuda/driver/special_registers.h"

#include <array>

namespace fake_cuda {
namespace {

struct SpecialRow {
  std::string_view name;
  Special slot;
};

constexpr std::array kSpecials{
    SpecialRow{"%laneid", kLaneid},
    SpecialRow{"%warpid", kWarpid},
    SpecialRow{"%nwarpid", kNwarpid},
    SpecialRow{"%lanemask_eq", kLanemaskEq},
    SpecialRow{"%lanemask_le", kLanemaskLe},
    SpecialRow{"%lanemask_lt", kLanemaskLt},
    SpecialRow{"%lanemask_ge", kLanemaskGe},
    SpecialRow{"%lanemask_gt", kLanemaskGt},
    SpecialRow{"%smid", kSmid},
    SpecialRow{"%nsmid", kNsmid},
    SpecialRow{"%gridid", kGridid},
    SpecialRow{"%dynamic_smem_size", kDynamicShared},
    SpecialRow{"%total_smem_size", kTotalShared},
    SpecialRow{"%clock", kClock},
    SpecialRow{"%clock64", kClock64},
    SpecialRow{"%globaltimer", kGlobaltimer},
    SpecialRow{"_", kTrash},
};

constexpr std::array kWithAxes{
    SpecialRow{"%tid.", kTid},
    SpecialRow{"%ntid.", kNtid},
    SpecialRow{"%ctaid.", kCtaid},
    SpecialRow{"%nctaid.", kNctaid},
};

}  // namespace

std::optional<Special> special_of(std::string_view name) {
  for (const SpecialRow& row : kSpecials) {
    if (row.name == name) return row.slot;
  }
  for (const SpecialRow& row : kWithAxes) {
    if (!name.starts_with(row.name) || name.size() != row.name.size() + 1) continue;
    const char axis = name.back();
    if (axis >= 'x' && axis <= 'z') {
      return static_cast<Special>(row.slot + static_cast<std::uint32_t>(axis - 'x'));
    }
  }
  return std::nullopt;
}

}  // namespace fake_cuda
