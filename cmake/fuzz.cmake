# One libFuzzer program per fuzz/*_fuzz.cc; its seed corpus is fuzz/corpus/<name>.
file(GLOB fuzz_sources CONFIGURE_DEPENDS fuzz/*_fuzz.cc)
foreach(source ${fuzz_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE vyre_testing)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endforeach()
