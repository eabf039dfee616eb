// An application that tunes itself, for tests that kill it: this test program, started again.
//
//   PROGRAM --application FOLDER KEYS: launches one program in so many sizes, in mode natural with
//   the cache in FOLDER; prints each event's message, one per line, at once. Ends with 1 if an
//   output is wrong.

#pragma once

namespace vyre::faults {

int application_main(int argc, char** argv);

}  // namespace vyre::faults
