# `vyre_bench`: everything under bench/ in one program; `make bench` runs it.
file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.cc)
if(bench_sources)
  add_executable(vyre_bench ${bench_sources})
  target_link_libraries(vyre_bench PRIVATE vyre_testing vyre_commands)
  target_compile_definitions(vyre_bench PRIVATE VYRE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endif()
