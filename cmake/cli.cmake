# The command `vyre`, and its parts without `main`, so that tests reach them too.
find_package(CLI11 REQUIRED)
file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS src/cli/*.cc)
list(FILTER cli_sources EXCLUDE REGEX "_test\\.cc$|/src/cli/((worker|node)_)?main\\.cc$")
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
target_compile_options(vyre_commands PRIVATE ${VYRE_LIBRARY_FLAGS})
vyre_compile_by_folder(vyre_commands)
vyre_harden(vyre_commands)
target_compile_definitions(vyre_commands PRIVATE VYRE_VERSION="${PROJECT_VERSION}")
add_executable(vyre_cli src/cli/main.cc)
set_target_properties(vyre_cli PROPERTIES OUTPUT_NAME vyre)
target_link_libraries(vyre_cli PRIVATE vyre_commands)
vyre_harden(vyre_cli)
# The command prints its own manual page and completions, so they name the options that it has. A
# machine that cannot run it goes without.
if(NOT CMAKE_CROSSCOMPILING)
  set(VYRE_PAGES ${CMAKE_BINARY_DIR}/pages)
  add_custom_command(TARGET vyre_cli POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory ${VYRE_PAGES}
    COMMAND vyre_cli manual > ${VYRE_PAGES}/vyre.1
    COMMAND vyre_cli completion bash > ${VYRE_PAGES}/vyre.bash
    COMMAND vyre_cli completion zsh > ${VYRE_PAGES}/_vyre
    COMMAND vyre_cli completion fish > ${VYRE_PAGES}/vyre.fish
    VERBATIM)
endif()
# Where candidates run that may crash: `vyre tune` starts it from beside itself.
add_executable(vyre_worker src/cli/worker_main.cc src/cli/pocl_scratch.cc)
set_target_properties(vyre_worker PROPERTIES OUTPUT_NAME vyre-worker)
target_link_libraries(vyre_worker PRIVATE vyre_internal)
vyre_harden(vyre_worker)
# What `vyre tune --launcher` starts on other machines; it needs vyre-worker beside it.
add_executable(vyre_node src/cli/node_main.cc)
set_target_properties(vyre_node PROPERTIES OUTPUT_NAME vyre-node)
target_link_libraries(vyre_node PRIVATE vyre_internal)
vyre_harden(vyre_node)
add_dependencies(vyre_node vyre_worker)
add_dependencies(vyre_cli vyre_worker vyre_node)
