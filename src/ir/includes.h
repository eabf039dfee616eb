// Included files: a kernel's text with the files that it includes written into it.
//
// A program's fingerprint covers its text and nothing else. So a text that is whole is worth more
// than one that names files: decisions, journals and compiled kernels change with the files.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/error.h"

namespace vyre::ir {

struct IncludeSearch {
  std::string name = {};              // of the text, for #line
  std::filesystem::path folder = {};  // of the text; empty: it comes from no file
  std::string_view options = {};      // the compiler's, of which -I and --include-path= count
};

// Replaces each `#include "file"` by the file, which is looked for beside the including file and
// then in the -I folders, and each `#include <file>` that an -I folder has. #line keeps the lines
// of messages right, and #pragma once keeps its meaning. An include whose file is not found, whose
// name a macro makes, or that includes itself stays as it is, for the compiler to deal with. A text
// without includes stays as it is. bad_inputs: more than 16 MiB in all, or a file that is there and
// cannot be read.
Expected<std::string> with_includes(std::string_view text, const IncludeSearch& search);

// `#line 7 "name"` with its newline: the next line is line 7 of `name` to the compiler. Characters
// that a directive cannot hold become '_'.
std::string line_directive(std::size_t number, std::string_view name);

// The words of a compiler's options: spaces part them, double quotes hold a word together and are
// left out.
std::vector<std::string> words_of_options(std::string_view options);

// Whether compiling the text may read another file: a directive includes or imports one or asks
// for one, or an option does.
bool may_read_files(std::string_view text, std::string_view options);

}  // namespace vyre::ir
