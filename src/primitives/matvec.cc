#include "base/error.h"
#include "primitives/arguments.h"
#include "vyre/builder.h"
#include "vyre/primitives.h"

namespace vyre::primitives {

using namespace ir;
using ir::Value;

Expected<Sequence> natural_gradient_block_apply(std::uint32_t n) {
  VYRE_TRY_VOID(
      check_elements("natural_gradient_block_apply", "n * n", std::uint64_t{n} * std::uint64_t{n}));
  VYRE_TRY(Program program, build("natural_gradient_block_apply", [n](Builder& b) {
             auto m = b.read(u32, "m", n * n);
             auto grad = b.read(u32, "grad", n);
             auto out = b.write(u32, "out", n);
             b.workgroup(kWorkgroup);
             const Value i = b.let("i", b.global_id());
             b.if_(i < n, [&] {
               // n terms of at most 2^48 each, n below 2^16: no step can overflow.
               auto sum = b.var(u64, "sum", 0);
               b.for_("j", 0, n, [&](const Value& j) {
                 sum += (cast(u64, m[i * n + j]) * cast(u64, grad[j])) >> 16;
               });
               out[i] = cast(u32, min(sum, 0xffffffffU));
             });
           }));
  return Sequence::make(std::move(program));
}

}  // namespace vyre::primitives
