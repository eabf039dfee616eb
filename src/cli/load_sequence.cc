#include "cli/load_sequence.h"

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/text.h"

namespace vyre::cli {

Expected<ir::Sequence> load_sequence(const std::string& file) {
  VYRE_TRY(const std::string text, read_named_file(file, ir::Limits::kTextBytes));
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{') {
    return bad_inputs(
        "{} is JSON; this command takes programs in text form, and `vyre tune` T1 files",
        quote_path(file));
  }
  auto def = ir::parse(text);
  if (!def) return bad_inputs("{}: {}", quote_path(file), def.error().message);
  return ir::Sequence::make(*std::move(def));
}

}  // namespace vyre::cli
