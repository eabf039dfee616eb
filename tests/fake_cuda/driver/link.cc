#include "fake_cuda/driver/link.h"

#include <set>

#include "fake_cuda/driver/decoder.h"
#include "fake_cuda/driver/ptx_variable.h"

namespace fake_cuda {
namespace {

class Linker {
 public:
  Linker(const Module& module, const Addresses& globals) : module_(module) {
    layout_.addresses = globals;
  }

  Result<std::unique_ptr<Kernel>> run(const Function& entry) {
    collect(entry);
    FAKE_CUDA_TRY_VOID(place_shared());
    for (const Function* function : layout_.functions) {
      auto code = std::make_unique<Code>();
      FAKE_CUDA_TRY_VOID(Decoder(layout_, *function, *code).run());
      kernel_->functions.push_back(std::move(code));
      kernel_->local_bytes += function->local_bytes;
    }
    for (const Variable& variable : module_.variables) {
      if (variable.space == Space::kConst) kernel_->constant_bytes += variable.bytes;
    }
    return std::move(kernel_);
  }

 private:
  // Breadth first, without recursion: a chain of calls may be long.
  void collect(const Function& entry) {
    add(entry);
    for (std::size_t at = 0; at < layout_.functions.size(); ++at) {
      for (const Statement& statement : layout_.functions[at]->statements) {
        for (const Operand& operand : statement.operands) visit(operand);
      }
    }
  }

  void add(const Function& function) {
    const auto index = static_cast<std::uint32_t>(layout_.functions.size());
    if (layout_.callees.try_emplace(function.name, index).second) {
      layout_.functions.push_back(&function);
    }
  }

  void visit(const Operand& operand) {
    if (operand.variable != nullptr && operand.variable->space == Space::kShared &&
        seen_.insert(operand.variable).second) {
      shared_.push_back(operand.variable);
    }
    if (operand.kind == OperandKind::kName) {
      const Function* function = module_.find_function(operand.name);
      if (function != nullptr && function->defined) add(*function);
    }
    for (const Operand& element : operand.elements) visit(element);
  }

  Result<void> place_shared() {
    std::uint64_t total = 0;
    std::uint64_t dynamic_align = 16;
    for (const Variable* variable : shared_) {
      if (variable->external)
        dynamic_align = std::max<std::uint64_t>(dynamic_align, variable->align);
      if (variable->external) continue;
      Variable placed = *variable;
      FAKE_CUDA_TRY_VOID(place(placed, total));
      layout_.addresses[variable] = placed.offset;
    }
    kernel_->static_shared = total;
    kernel_->dynamic_start = align_up(total, dynamic_align);
    for (const Variable* variable : shared_) {
      if (variable->external) layout_.addresses[variable] = kernel_->dynamic_start;
    }
    return {};
  }

  const Module& module_;
  Layout layout_;
  std::set<const Variable*> seen_;
  std::vector<const Variable*> shared_;
  std::unique_ptr<Kernel> kernel_ = std::make_unique<Kernel>();
};

}  // namespace

Result<std::unique_ptr<Kernel>> link_kernel(const Module& module, const Function& entry,
                                            const Addresses& globals) {
  return Linker(module, globals).run(entry);
}

}  // namespace fake_cuda
