# Writes OUTPUT, a .cc with the texts of FILES (a list) and a function that finds them by name:
#   cmake -DOUTPUT=x.cc -DFILES=a.json;a.cl -P embed_kernels.cmake
set(rows "")
foreach(file IN LISTS FILES)
  file(READ ${file} text)
  get_filename_component(name ${file} NAME)
  string(APPEND rows "    {\"${name}\", R\"vyre_file(${text})vyre_file\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"tuner/problems/embedded.h\"

namespace vyre::tuner {
namespace {
struct File {
  std::string_view name;
  std::string_view text;
};
constexpr File kFiles[] = {
${rows}};
}  // namespace

std::string_view embedded_kernel(std::string_view file) {
  for (const File& known : kFiles) {
    if (known.name == file) return known.text;
  }
  return {};
}

}  // namespace vyre::tuner
")
