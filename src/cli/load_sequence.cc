#include "cli/load_sequence.h"

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/text.h"

namespace vyre::cli {

Expected<ir::Sequence> load_sequence(const std::string& file) {
  VYRE_TRY(const std::string text, read_file(file, ir::Limits::kTextBytes));
  auto def = ir::parse(text);
  if (!def) return bad_inputs("{}: {}", quote(file), def.error().message);
  return ir::Sequence::make(*std::move(def));
}

}  // namespace vyre::cli
