// A command as judge of results: `vyre tune FILE --verify COMMAND`.
//
// The command is run by a shell, with one more argument: a folder in which it finds config.json
// (the kernel's name, its sizes and the configuration), input/NAME.bin and output/NAME.bin, the
// bytes of each buffer. It ends with 0 if the outputs are right and with 1 if they are wrong; the
// last line that it has written is then the reason. Any other end is a fault of the command and
// ends the campaign.

#pragma once

#include <chrono>
#include <string>

#include "vyre/tune.h"

namespace vyre::cli {

struct VerifyCommand {
  std::string command;
  std::chrono::milliseconds limit;  // after which it counts as hanging
};

// The folder is made when the first result is judged, and removed with the last copy of the
// verifier. `problem` must outlive the verifier.
Verifier verifier_of(VerifyCommand command, const Problem& problem);

}  // namespace vyre::cli
