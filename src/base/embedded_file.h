// A file that is part of the program, so that no installed file is needed (cmake/embed.cmake).

#pragma once

#include <span>
#include <string_view>

namespace vyre {

struct EmbeddedFile {
  std::string_view name;  // without folders
  std::string_view bytes;
};

}  // namespace vyre
