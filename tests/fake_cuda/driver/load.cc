#include "fake_cuda/driver/load.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "fake_cuda/driver/limits.h"
#include "fake_cuda/driver/ptx_parser.h"

namespace fake_cuda {
namespace {

// The PTX version that a driver understands: 12.4 knows 8.4, 13.0 knows 9.0.
std::uint32_t newest_ptx(int driver) {
  const auto major = static_cast<std::uint32_t>(driver / 1000);
  const auto minor = static_cast<std::uint32_t>(driver % 1000 / 10);
  constexpr std::array<std::uint32_t, 10> kOfTwelve{0, 1, 2, 3, 4, 5, 5, 6, 7, 8};
  if (major == 12) return 80 + kOfTwelve[std::min<std::uint32_t>(minor, 9)];
  return major > 12 ? (major - 4) * 10 + minor : major < 4 ? 10 : (major - 4) * 10 + minor;
}

std::unexpected<LoadError> refused(int error, const std::string& text) {
  return std::unexpected(LoadError{error, text});
}

std::expected<void, LoadError> check_versions(const Module& module) {
  if (module.version > newest_ptx(wished_version())) {
    return refused(kUnsupportedPtxVersion, "Unsupported .version " +
                                               std::to_string(module.version / 10) + "." +
                                               std::to_string(module.version % 10));
  }
  if (module.target > static_cast<std::uint32_t>(wished_architecture())) {
    return refused(kInvalidPtx, ".target sm_" + std::to_string(module.target) +
                                    " is newer than this device, sm_" +
                                    std::to_string(wished_architecture()));
  }
  return {};
}

class Loader {
 public:
  Loader(Context& context, LoadedModule& loaded) : context_(context), loaded_(loaded) {}

  std::expected<void, LoadError> run() {
    if (auto done = allocate(); !done) return done;
    if (auto done = relocate(); !done) return done;
    for (const Function& function : loaded_.ptx->functions) {
      if (auto done = link(function); !done) return done;
    }
    return {};
  }

 private:
  std::expected<void, LoadError> allocate() {
    std::uint64_t constants = 0;
    for (const Variable& variable : loaded_.ptx->variables) {
      if (variable.space == Space::kShared) continue;
      if (variable.external) {
        return refused(kInvalidPtx, "unresolved variable '" + variable.name + "'");
      }
      Allocation* made = context_.memory.allocate(variable.bytes);
      if (made == nullptr) return refused(kOutOfMemory, "no room for '" + variable.name + "'");
      made->of_module = true;
      made->constant = variable.space == Space::kConst;
      if (made->constant) constants += variable.bytes;
      std::memset(made->data.get(), 0, variable.bytes);  // as PTX says
      std::copy(variable.initial.begin(), variable.initial.end(), made->data.get());
      loaded_.addresses[&variable] = made->begin;
    }
    if (constants > kMostConstant) return refused(kInvalidPtx, "too much constant memory");
    return {};
  }

  std::expected<void, LoadError> relocate() {
    for (const auto& [variable, address] : loaded_.addresses) {
      for (const Relocation& relocation : variable->relocations) {
        const std::uint64_t target = address_of(relocation.symbol);
        if (target == 0) return refused(kInvalidPtx, "unknown name '" + relocation.symbol + "'");
        const std::uint64_t value = target + relocation.addend;
        std::memcpy(context_.memory.find(address, 1)->at(address + relocation.at), &value, 8);
      }
    }
    return {};
  }

  std::uint64_t address_of(const std::string& name) const {
    for (const auto& [variable, address] : loaded_.addresses) {
      if (variable->name == name) return address;
    }
    return 0;
  }

  std::expected<void, LoadError> link(const Function& function) {
    if (!function.defined) return {};
    auto kernel = link_kernel(*loaded_.ptx, function, loaded_.addresses);
    if (!kernel) return refused(kInvalidPtx, kernel.error());
    if ((*kernel)->static_shared > kMostShared) {
      return refused(kInvalidPtx, "'" + function.name + "' uses too much shared data, " +
                                      std::to_string((*kernel)->static_shared) + " bytes");
    }
    if (!function.entry) return {};
    auto made = std::make_unique<LoadedFunction>();
    made->module = &loaded_;
    made->kernel = *std::move(kernel);
    loaded_.functions[function.name] = std::move(made);
    return {};
  }

  Context& context_;
  LoadedModule& loaded_;
};

}  // namespace

std::expected<std::unique_ptr<LoadedModule>, LoadError> load_module(Context& context,
                                                                    std::string_view text) {
  auto parsed = parse_module(text);
  if (!parsed) return refused(kInvalidPtx, parsed.error());
  if (auto checked = check_versions(**parsed); !checked) {
    return std::unexpected(checked.error());
  }
  auto loaded = std::make_unique<LoadedModule>();
  loaded->context = &context;
  loaded->ptx = *std::move(parsed);
  if (auto done = Loader(context, *loaded).run(); !done) {
    unload_module(*loaded);
    return std::unexpected(done.error());
  }
  return loaded;
}

void unload_module(LoadedModule& module) {
  for (const auto& [variable, address] : module.addresses) module.context->memory.release(address);
}

}  // namespace fake_cuda
