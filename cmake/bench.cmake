# `vyre_bench`: everything under bench/ in one program; `make bench` runs it.
file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.cc)
if(bench_sources)
  add_executable(vyre_bench ${bench_sources})
  target_link_libraries(vyre_bench PRIVATE vyre_testing vyre_commands)
  target_precompile_headers(vyre_bench REUSE_FROM vyre_testing)
  target_compile_definitions(vyre_bench PRIVATE VYRE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    VYRE_CLI="$<TARGET_FILE:vyre_cli>" VYRE_TEST_TOOLS_DIR="${VYRE_TEST_TOOLS_DIR}")
  add_dependencies(vyre_bench vyre_cli)
  # What programs on devices are compared with gets the best that the compiler can do here.
  find_package(OpenMP COMPONENTS CXX)
  if(NOT OpenMP_CXX_FOUND)
    set(OpenMP_CXX_FLAGS "")
  endif()
  # GCC 12 takes the undefined registers of AVX-512 intrinsics for mistakes (GCC bug 105593).
  set(quiet "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>")
  set_source_files_properties(bench/eigen_native.cc bench/native_loops.cc PROPERTIES
    COMPILE_OPTIONS "-O3;-march=native;-ffp-contract=fast;${OpenMP_CXX_FLAGS};${quiet}"
    SKIP_PRECOMPILE_HEADERS ON)
  find_package(BLAS REQUIRED)
  target_link_libraries(vyre_bench PRIVATE ${OpenMP_CXX_LIBRARIES} ${BLAS_LIBRARIES})
  # Records a whole space with its compile times; bench/e2e/README.md says how.
  add_executable(vyre_record EXCLUDE_FROM_ALL bench/e2e/record.cc)
  target_link_libraries(vyre_record PRIVATE vyre_internal)
  # Records the plans of a chain, and runs one beside other programs.
  foreach(program record_chain serve_chain)
    add_executable(vyre_${program} EXCLUDE_FROM_ALL bench/e2e/${program}.cc)
    target_include_directories(vyre_${program} PRIVATE bench)
    target_link_libraries(vyre_${program} PRIVATE vyre_internal)
  endforeach()
endif()
