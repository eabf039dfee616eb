#include "fuse/rates.h"

#include <algorithm>
#include <string_view>

#include "backend/owned_call.h"
#include "base/error.h"
#include "base/files/paths.h"
#include "base/files/whole_file.h"
#include "base/json.h"
#include "base/json_node.h"

namespace vyre::fuse {
namespace {

constexpr std::int64_t kSchema = 1;
constexpr std::size_t kMostRatesBytes = 4096;
constexpr int kRuns = 4;

constexpr std::string_view kCopy = R"(program copy {
  shape n: u32
  read x: f32[n]
  write y: f32[n]
  workgroup [64u]
  grid [(n + 511u) / 512u]
  for k: u32 in 0u .. 8u {
    let i: u32 = global_id(0) * 8u + k
    if i < n {
      y[i] = x[i]
    }
  }
})";

// Sixteen sums at once, so that few operations wait for the one before, and a compiler can keep
// them in vectors.
constexpr std::string_view kSums = R"(program sums {
  shape n: u32
  read x: f32[n]
  write y: f32[n]
  workgroup [64u]
  grid [(n + 63u) / 64u]
  let i: u32 = global_id(0)
  if i < n {
    let f: f32x4 = f32x4(0.999f, 0.998f, 0.997f, 0.996f)
    var a: f32x4 = f32x4(x[i], 1.0f, 2.0f, 3.0f)
    var b: f32x4 = f32x4(4.0f, x[i], 5.0f, 6.0f)
    var c: f32x4 = f32x4(7.0f, 8.0f, x[i], 9.0f)
    var d: f32x4 = f32x4(1.5f, 2.5f, 3.5f, x[i])
    for k: u32 in 0u .. 128u {
      a = a * f + f
      b = b * f + f
      c = c * f + f
      d = d * f + f
    }
    let s: f32x4 = a + b + (c + d)
    y[i] = s.0 + s.1 + (s.2 + s.3)
  }
})";
constexpr double kOperationsOfSums = 128 * 32;

struct Sizes {
  std::uint32_t copied = 0;
  std::uint32_t summed = 0;
};

// The copy is larger than caches are. The interpreter has none, and is slow.
Sizes sizes_for(const DeviceInfo& info) {
  if (info.kind == DeviceKind::interpreter) return {1U << 12U, 1U << 6U};
  const std::uint64_t most = std::max<std::uint64_t>(info.limits.buffer_bytes / 8, 1U << 10U);
  return {static_cast<std::uint32_t>(std::min<std::uint64_t>(most, 1U << 24U)), 1U << 14U};
}

// The best of a few runs: whatever disturbs a run makes it slower.
Expected<double> best_ns(const std::shared_ptr<Device>& device, std::string_view text,
                         std::uint32_t n) {
  VYRE_TRY(ir::Program program, ir::parse_program(text));
  VYRE_TRY(const ir::Sequence sequence, ir::Sequence::make(std::move(program)));
  const std::vector<float> x(n, 0.5F);
  const Input input = as_input(x);
  VYRE_TRY(const auto call, backend::OwnedCall::make(device, sequence, {.inputs = {&input, 1}}));
  const backend::InputContent content{.host = input};
  VYRE_TRY_VOID(call->write_inputs({&content, 1}));
  std::uint64_t best = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::uint64_t elapsed = 0;
    VYRE_TRY_VOID(call->run(&elapsed));
    if (run > 0 && elapsed > 0 && (best == 0 || elapsed < best)) best = elapsed;
  }
  if (best > 0) return static_cast<double>(best);
  return backend_error("the clock of {} did not tick during a run; no speed can be predicted",
                       device->info().name);
}

Expected<Rates> parse_rates(std::string_view text, const std::string& identity) {
  VYRE_TRY(const Json json, parse_json(text));
  const JsonNode node(json, "");
  VYRE_TRY(const JsonNode schema, node.at("schema"));
  VYRE_TRY(const JsonNode of, node.at("identity"));
  VYRE_TRY(const std::int64_t version, schema.integer());
  VYRE_TRY(const std::string known, of.text());
  if (version != kSchema || known != identity) return Rates{};
  Rates out;
  for (const auto& [name, value] : {std::pair{"bytes_per_ns", &out.bytes_per_ns},
                                    std::pair{"operations_per_ns", &out.operations_per_ns},
                                    std::pair{"launch_ns", &out.launch_ns}}) {
    VYRE_TRY(const JsonNode member, node.at(name));
    VYRE_TRY(*value, member.number());
    if (!(*value > 0)) return member.expected("a number above 0");
  }
  return out;
}

void keep_rates(const std::filesystem::path& file, const Rates& rates,
                const std::string& identity) {
  const Json json{{"schema", kSchema},
                  {"identity", identity},
                  {"bytes_per_ns", rates.bytes_per_ns},
                  {"operations_per_ns", rates.operations_per_ns},
                  {"launch_ns", rates.launch_ns}};
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  // Rates that are not kept are measured again: no failure of the caller's.
  static_cast<void>(write_file_atomically(file, json.dump() + "\n", kOwnersFile));
}

}  // namespace

Expected<Rates> measure_rates(const std::shared_ptr<Device>& device) {
  const Sizes sizes = sizes_for(device->info());
  VYRE_TRY(const double launch, best_ns(device, kCopy, 1));
  VYRE_TRY(const double copy, best_ns(device, kCopy, sizes.copied));
  VYRE_TRY(const double sums, best_ns(device, kSums, sizes.summed));
  const auto without_launch = [&](double ns) { return std::max(ns - launch, ns / 10); };
  return Rates{.bytes_per_ns = 8.0 * sizes.copied / without_launch(copy),
               .operations_per_ns = kOperationsOfSums * sizes.summed / without_launch(sums),
               .launch_ns = launch};
}

Expected<Rates> rates_of(const std::shared_ptr<Device>& device, const Files& files) {
  const std::filesystem::path file = rates_file(files, safe_name(device->info()));
  if (file.empty()) return measure_rates(device);
  const std::string identity = id_of(identity_of(device->info()));
  std::error_code ignored;
  const bool is_new = !std::filesystem::exists(file, ignored);
  const auto text = read_file(file, kMostRatesBytes);
  const auto known = text ? parse_rates(*text, identity) : Expected<Rates>(Rates{});
  if (known && known->bytes_per_ns > 0) return *known;
  VYRE_TRY(const Rates rates, measure_rates(device));
  if (is_new || (text && known)) keep_rates(file, rates, identity);
  return rates;
}

}  // namespace vyre::fuse
