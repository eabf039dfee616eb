# Writes OUTPUT, a .cc that defines the function FUNCTION of namespace NAMESPACE, declared in
# HEADER: the names and bytes of FILES (a list).
#   cmake -DOUTPUT=x.cc -DHEADER=a/b.h -DNAMESPACE=vyre::a -DFUNCTION=f -DFILES=a.json;a.cl
#         -P embed_files.cmake
set(rows "")
foreach(file IN LISTS FILES)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  get_filename_component(name ${file} NAME)
  string(APPEND rows "    {\"${name}\"sv, \"${bytes}\"sv},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

namespace ${NAMESPACE} {

std::span<const EmbeddedFile> ${FUNCTION}() {
  using namespace std::string_view_literals;
  static constexpr EmbeddedFile kFiles[] = {
${rows}  };
  return kFiles;
}

}  // namespace ${NAMESPACE}
")
