#include "base/blake3.h"
#include "base/hex.h"
#include "ir/encode.h"
#include "ir/sequence_of.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

// Whether the sequence adds nothing to its one program: then it has the program's fingerprint, so
// that wrapping a program orphans no decision.
bool is_plain_wrapper(const SequenceDef& sequence, const ByteWriter& encoded) {
  if (sequence.programs.size() != 1 || sequence.steps.size() != 1) return false;
  return encode(sequence_of(sequence.programs[0])).bytes() == encoded.bytes();
}

}  // namespace

Fingerprint fingerprint(const Program& program) { return blake3(encode(program).bytes()); }

Fingerprint fingerprint(const SequenceDef& sequence) {
  const ByteWriter encoded = encode(sequence);
  if (is_plain_wrapper(sequence, encoded)) return fingerprint(sequence.programs[0]);
  return blake3(encoded.bytes());
}

std::string to_hex(const Fingerprint& fingerprint) {
  return vyre::to_hex(std::span<const std::uint8_t>(fingerprint));
}

}  // namespace vyre::ir
