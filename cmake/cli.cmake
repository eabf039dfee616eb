# The command `vyre`, and its parts without `main`, so that tests reach them too.
find_package(CLI11 REQUIRED)
file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS src/cli/*.cc)
list(FILTER cli_sources EXCLUDE REGEX "_test\\.cc$|/src/cli/(worker_)?main\\.cc$")
# The recordings that `vyre replay` shows are files for people and bytes in the command.
file(GLOB recording_files CONFIGURE_DEPENDS recordings/*.json.gz)
vyre_embed(cli_sources embedded_recordings cli/recordings.h ${recording_files})
add_library(vyre_commands STATIC ${cli_sources})
target_link_libraries(vyre_commands PUBLIC vyre_internal CLI11::CLI11 ${CMAKE_DL_LIBS})
# The loops that tuned kernels are compared with get all that the compiler can do. Without OpenMP
# there are none.
find_package(OpenMP COMPONENTS CXX QUIET)
if(OpenMP_CXX_FOUND)
  separate_arguments(openmp_flags NATIVE_COMMAND "${OpenMP_CXX_FLAGS}")
  set_source_files_properties(src/cli/host_loops.cc PROPERTIES
    COMPILE_OPTIONS "-O3;-ffp-contract=fast;${openmp_flags}"
    SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
  target_link_libraries(vyre_commands PUBLIC ${OpenMP_CXX_LIBRARIES})
endif()
target_precompile_headers(vyre_commands PRIVATE ${vyre_common_headers})
vyre_compile_by_folder(vyre_commands)
vyre_harden(vyre_commands)
target_compile_definitions(vyre_commands PRIVATE VYRE_VERSION="${PROJECT_VERSION}")
add_executable(vyre_cli src/cli/main.cc)
set_target_properties(vyre_cli PROPERTIES OUTPUT_NAME vyre)
target_link_libraries(vyre_cli PRIVATE vyre_commands)
vyre_harden(vyre_cli)
# Where candidates run that may crash: `vyre tune` starts it from beside itself.
add_executable(vyre_worker src/cli/worker_main.cc src/cli/pocl_scratch.cc)
set_target_properties(vyre_worker PROPERTIES OUTPUT_NAME vyre-worker)
target_link_libraries(vyre_worker PRIVATE vyre_internal)
vyre_harden(vyre_worker)
add_dependencies(vyre_cli vyre_worker)
