// `vyre run`: a program in text form, once, on a device.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "backend/owned_call.h"
#include "backend/plan.h"
#include "base/blake3.h"
#include "base/error.h"
#include "base/hex.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/devices.h"
#include "cli/load_sequence.h"
#include "cli/program_call.h"
#include "cli/supervised.h"
#include "cli/table.h"
#include "ir/ops.h"
#include "ir/source.h"
#include "vyre/fuse.h"
#include "vyre/opencl.h"
#include "vyre/program.h"

namespace vyre::cli {
namespace {

struct RunOptions {
  std::string file;
  std::string device = "best";
  LimitFlags limits;
  CallOptions call;
  bool fuse = false;
  bool as_json = false;
};

// With --fuse the sequence has the tunables fuse_*, too.
Expected<ir::Sequence> load_program(const RunOptions& options) {
  VYRE_TRY(ir::Sequence sequence, load_sequence(options.file));
  if (!options.fuse) return sequence;
  VYRE_TRY(fuse::Widened widened, fuse::widen(sequence));
  return std::move(widened.sequence);
}

struct Output {
  const ir::Buffer* buffer;
  std::span<const std::byte> bytes;

  std::size_t count() const { return bytes.size() / ir::element_bytes(*buffer); }
  std::string digest() const {
    return to_hex(blake3({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
  }
};

void print_table(const std::vector<Output>& outputs) {
  Table table({{"output"}, {"type"}, {"elements", Align::right}, {"blake3"}, {"first values"}});
  for (const Output& output : outputs) {
    table.add({output.buffer->name, ir::element_name(*output.buffer),
               std::to_string(output.count()), output.digest().substr(0, 16),
               first_values(*output.buffer, output.bytes, 8)});
  }
  fmt::print("{}", table.text());
}

void print_json(const ir::Sequence& sequence, const DeviceInfo& info,
                const std::vector<Output>& outputs) {
  nlohmann::ordered_json json{
      {"program", sequence.def().name},
      {"fingerprint", ir::to_hex(sequence.fingerprint())},
      {"device", {{"backend", info.backend}, {"platform", info.platform}, {"name", info.name}}},
      {"kernels",
       {{"compiled", opencl_counts().compiled},
        {"loaded", opencl_counts().loaded},
        {"fetched", opencl_counts().fetched}}},
      {"outputs", nlohmann::ordered_json::array()}};
  for (const Output& output : outputs) {
    json["outputs"].push_back({{"name", output.buffer->name},
                               {"type", ir::element_name(*output.buffer)},
                               {"elements", output.count()},
                               {"blake3", output.digest()}});
  }
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

// The process that waits for this one ends it when a compiler hangs, so the device need not.
constexpr std::chrono::hours kNoLimit{24};

Expected<Outputs> outputs_of(const std::shared_ptr<Device>& device, const ir::Sequence& sequence,
                             const Call& call, const Stages& stages) {
  VYRE_TRY(const backend::Plan plan, backend::make_plan(sequence, call, device->info().limits));
  stages.compiling(backend::buffer_bytes(sequence, plan));
  VYRE_TRY(const auto owned, backend::OwnedCall::make(device, sequence, call));
  std::vector<backend::InputContent> inputs;
  for (const Input& input : call.inputs) inputs.push_back({.host = input});
  VYRE_TRY_VOID(owned->write_inputs(inputs));
  // Launches of the interpreter return when they are over, and compile nothing. Other devices may
  // compile at a launch, and are done with that when it returns.
  if (device->info().backend == "reference") stages.running();
  VYRE_TRY_VOID(owned->run(nullptr, [&] { stages.running(); }));
  Outputs outputs;
  VYRE_TRY_VOID(owned->read_outputs(outputs));
  stages.done();
  return outputs;
}

Expected<void> run_sequence(const RunOptions& options, const ir::Sequence& sequence,
                            const Stages& stages) {
  DeviceOptions device_options = cli::device_options();
  device_options.build_limit = kNoLimit;
  VYRE_TRY(const auto device, open_device(options.device, device_options));
  VYRE_TRY(const ProgramCall call,
           make_call(sequence, options.call, device->info().limits.buffer_bytes));
  VYRE_TRY_VOID(write_outputs(sequence, options.call, {}));  // names are right before anything runs
  VYRE_TRY(const Outputs bytes, outputs_of(device, sequence, call.call(), stages));
  VYRE_TRY_VOID(write_outputs(sequence, options.call, bytes));
  std::vector<Output> outputs;
  for (const ir::Buffer& buffer : sequence.def().buffers) {
    if (ir::gives_output(buffer.access)) outputs.push_back({&buffer, bytes[outputs.size()]});
  }
  if (options.as_json) {
    print_json(sequence, device->info(), outputs);
    return {};
  }
  fmt::print("{} on {} ({})\n\n", escaped(sequence.def().name), device->info().name,
             device->info().backend);
  print_table(outputs);
  return {};
}

Expected<void> run_program(const RunOptions& options) {
  VYRE_TRY(const ir::Sequence sequence, load_program(options));
  VYRE_TRY(const Limits limits, limits_of(options.limits));
  return supervised(sequence.def().name, limits,
                    [&](const Stages& stages) { return run_sequence(options, sequence, stages); });
}

}  // namespace

void add_run(Command& vyre, Context& context) {
  auto options = std::make_shared<RunOptions>();
  Command command = vyre.add("run", "Run a program once on a device and show what it wrote");
  command.footer(
      "A program in text form (docs/ir_text.md) declares what it needs; the rest is found or\n"
      "generated. For example, with `shape n` and `scalar a`:\n"
      "  vyre run saxpy.vyre --set n=1000 --set a=2 --in x=iota --in y=ones --out y=y.bin");
  command.option("FILE", options->file, "The program", {.required = true});
  command.option("--device", options->device, kDeviceHelp, {.shows_default = true});
  add_limits(command, options->limits);
  command.option("--set", options->call.sets, "NAME=VALUE: a shape, a scalar or a tunable");
  command.option("--in", options->call.inputs,
                 "NAME=FILE with raw little-endian values, or NAME=random, zeros, ones or "
                 "iota; random if not given");
  command.option("--out", options->call.outputs, "NAME=FILE: where to write an output");
  command.option("--grid", options->call.grid, "Workgroups: X, or X,Y or X,Y,Z",
                 {.has_commas = true, .most_values = 3});
  command.option("--seed", options->call.seed, "Of random inputs", {.shows_default = true});
  command.flag(
      "--fuse", options->fuse,
      "Join steps of a sequence as --set fuse_0=1 and the like say; `vyre fuse FILE` lists "
      "them");
  command.flag("--json", options->as_json, "Print names, sizes and digests as JSON");
  command.callback(
      [&context, options] { context.action = [options] { return run_program(*options); }; });
}

}  // namespace vyre::cli
