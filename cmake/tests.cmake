# One test program per folder of src, plus conformance and end-to-end; all found by glob.
enable_testing()
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
add_custom_target(vyre_tests)  # builds all that ctest runs

# GoogleTest's headers are most of what a test compiles: once for all of them, in a target of their
# own, since CMake lets every user of precompiled headers wait for the whole target that has them.
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/test_headers.cc "")
add_library(vyre_test_headers OBJECT ${CMAKE_CURRENT_BINARY_DIR}/test_headers.cc)
target_link_libraries(vyre_test_headers PRIVATE vyre_testing rapidcheck GTest::gtest_main GTest::gmock)
target_precompile_headers(vyre_test_headers PRIVATE ${vyre_common_headers} <fstream>
  <gmock/gmock.h> <gtest/gtest.h>)

function(vyre_test_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE vyre_testing rapidcheck GTest::gtest_main GTest::gmock)
  target_precompile_headers(${name} REUSE_FROM vyre_test_headers)
  target_compile_definitions(${name} PRIVATE VYRE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    VYRE_TEST_TOOLS_DIR="${VYRE_TEST_TOOLS_DIR}")
  # GCC's -Wshadow takes a table of one test for the hiding of another file's.
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    vyre_compile_by_folder(${name})
  endif()
  if(TARGET vyre_cli)
    target_link_libraries(${name} PRIVATE vyre_commands)
    target_compile_definitions(${name} PRIVATE VYRE_CLI="$<TARGET_FILE:vyre_cli>"
      VYRE_WORKER="$<TARGET_FILE:vyre_worker>" VYRE_NODE="$<TARGET_FILE:vyre_node>")
    add_dependencies(${name} vyre_cli)
  endif()
  add_dependencies(vyre_tests ${name})
  # One process for all of a program's tests: starting 1 300 of them under a sanitizer, and PoCL's
  # first build in each, took longer than the tests.
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 1200 FAIL_REGULAR_EXPRESSION "Running 0 tests")
  # The programs that take longest start first, so that no core waits for them at the end.
  if(name MATCHES "^(emit|runtime|e2e|primitives|substrate)_tests$")
    set_tests_properties(${name} PROPERTIES COST 100)
  endif()
endfunction()

# libcuda.so.1 for tests: an interpreter of PTX behind the driver's interface. Tests find it through
# LD_LIBRARY_PATH or by its path; nothing installs it.
file(GLOB fake_cuda_sources CONFIGURE_DEPENDS tests/fake_cuda/driver/*.cc)
add_library(fake_cuda SHARED ${fake_cuda_sources})
target_link_libraries(fake_cuda PRIVATE vyre_options)
target_include_directories(fake_cuda PRIVATE include src tests)
target_compile_options(fake_cuda PRIVATE -O2)
target_link_options(fake_cuda PRIVATE -Wl,-soname,libcuda.so.1)
set_target_properties(fake_cuda PROPERTIES OUTPUT_NAME cuda SUFFIX .so.1 NO_SONAME ON
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fake_cuda CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON)

# Under tests/ the helpers beside the tests belong to the program too.
file(GLOB test_folders CONFIGURE_DEPENDS LIST_DIRECTORIES true src/* tests/*)
foreach(folder ${test_folders})
  if(folder MATCHES "/tests/[^/]+$")
    file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${folder}/*.cc)
  else()
    file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${folder}/*_test.cc)
  endif()
  list(FILTER tests INCLUDE REGEX "${VYRE_TEST_FILES}")
  list(FILTER tests EXCLUDE REGEX "/preload/|/fake_cuda/driver/|/replay_node/")
  if(VYRE_SANITIZE)
    list(FILTER tests EXCLUDE REGEX "/tests/nodes/")  # bounds on time
  endif()
  if(VYRE_SANITIZE OR NOT TARGET vyre_agent)
    list(FILTER tests EXCLUDE REGEX "/tests/agent/")  # the same; and they need libpq
  endif()
  if(VYRE_SANITIZE MATCHES "thread")
    # The locks of PoCL and of lavapipe are invisible to it.
    list(FILTER tests EXCLUDE REGEX "/opencl|/vulkan|/tests/browser/")
  elseif(VYRE_SANITIZE)
    # Others' drivers leak, and more. A browser shows the same page whatever made it. Of Vulkan the
    # backend's own tests are here; what a driver makes of programs is tested without sanitizers.
    list(FILTER tests EXCLUDE REGEX
      "/opencl_drivers|/tests/browser/|/conformance/vulkan|/glsl_random|/glsl_functions")
  endif()
  if(tests)
    get_filename_component(name ${folder} NAME)
    vyre_test_program(${name}_tests ${tests})
  endif()
endforeach()

if(TARGET fake_cuda_tests)
  target_include_directories(fake_cuda_tests PRIVATE tests)
endif()
foreach(name fake_cuda_tests conformance_tests e2e_tests)
  if(TARGET ${name})
    target_compile_definitions(${name} PRIVATE VYRE_FAKE_CUDA="$<TARGET_FILE:fake_cuda>")
    add_dependencies(${name} fake_cuda)
  endif()
endforeach()
# Where libpq is missing, the test says that it was skipped.
if(TARGET agent_tests)
  target_link_libraries(agent_tests PRIVATE vyre_agent_parts)
  target_include_directories(agent_tests PRIVATE tests)
  target_compile_definitions(agent_tests PRIVATE VYRE_AGENT="$<TARGET_FILE:vyre_agent>"
    VYRE_APPLICATION="$<TARGET_FILE:example_serve>")
  add_dependencies(agent_tests vyre_agent example_serve)
elseif(NOT VYRE_SANITIZE AND NOT VYRE_TEST_FILES)
  add_custom_target(agent_tests)
  add_test(NAME agent_tests COMMAND ${CMAKE_COMMAND} -E echo "[  SKIPPED ] agent_tests")
  set_tests_properties(agent_tests PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED")
endif()
# A node whose device is a recording, and which dies when it is told to.
if(TARGET nodes_tests)
  add_executable(replay_node tests/nodes/replay_node/main.cc)
  target_link_libraries(replay_node PRIVATE vyre_testing)
  target_include_directories(replay_node PRIVATE tests)
  target_include_directories(nodes_tests PRIVATE tests)
  target_compile_definitions(nodes_tests PRIVATE VYRE_REPLAY_NODE="$<TARGET_FILE:replay_node>")
  add_dependencies(nodes_tests replay_node)
endif()
if(TARGET e2e_tests)
  add_library(vyre_opencl_faults MODULE tests/e2e/preload/opencl_faults.cc)
  target_link_libraries(vyre_opencl_faults PRIVATE ${CMAKE_DL_LIBS})
  target_compile_definitions(e2e_tests PRIVATE
    VYRE_OPENCL_FAULTS="$<TARGET_FILE:vyre_opencl_faults>")
  add_dependencies(e2e_tests vyre_opencl_faults)
endif()
if(VYRE_TEST_FILES)
  return()
endif()

# The suites of OpenCL and Vulkan devices on each driver that can be had without a GPU, one per
# process. Random programs meet the mistake of Intel's vectoriser (docs/devices.md) all the time,
# so they run without it there.
if(NOT VYRE_SANITIZE)
  set(settings_on_intel CL_CONFIG_CPU_VECTORIZER_MODE=1)
  foreach(implementation pocl intel rusticl)
    set(with_driver ${PROJECT_SOURCE_DIR}/tools/with_driver ${implementation})
    add_test(NAME conformance_on_${implementation}
      COMMAND ${with_driver} $<TARGET_FILE:conformance_tests> --gtest_filter=opencl.*)
    add_test(NAME emit_on_${implementation}
      COMMAND ${with_driver} $<TARGET_FILE:emit_tests>
              --gtest_filter=*Golden*:*RandomOpenCl.*:OpenClC.Deep*)
    add_test(NAME messages_on_${implementation}
      COMMAND ${with_driver} $<TARGET_FILE:backend_tests> --gtest_filter=opencl_messages.*)
    set_tests_properties(messages_on_${implementation} PROPERTIES
      TIMEOUT 300 ENVIRONMENT VYRE_TEST_TOOLS=${VYRE_TEST_TOOLS_DIR})
    set_tests_properties(conformance_on_${implementation} PROPERTIES
      TIMEOUT 1200 ENVIRONMENT VYRE_TEST_TOOLS=${VYRE_TEST_TOOLS_DIR})
    set_tests_properties(emit_on_${implementation} PROPERTIES TIMEOUT 1200
      ENVIRONMENT "VYRE_TEST_TOOLS=${VYRE_TEST_TOOLS_DIR};${settings_on_${implementation}}")
  endforeach()
  foreach(driver lavapipe newer_lavapipe)
    set(with_driver ${PROJECT_SOURCE_DIR}/tools/with_driver ${driver})
    add_test(NAME conformance_on_${driver}
      COMMAND ${with_driver} $<TARGET_FILE:conformance_tests> --gtest_filter=vulkan.*)
    add_test(NAME emit_on_${driver}
      COMMAND ${with_driver} $<TARGET_FILE:emit_tests> --gtest_filter=*Vulkan*)
    set_tests_properties(conformance_on_${driver} emit_on_${driver} PROPERTIES
      TIMEOUT 1200 ENVIRONMENT VYRE_TEST_TOOLS=${VYRE_TEST_TOOLS_DIR})
  endforeach()
  # One of 10 000 random programs meets a mistake of that driver (docs/devices.md).
  set_property(TEST emit_on_newer_lavapipe APPEND PROPERTY ENVIRONMENT VYRE_SOAK=0)
  add_test(NAME decisions_on_each
    COMMAND conformance_tests --gtest_filter=OpenclDrivers.*)
endif()

include(cmake/python.cmake)
include(cmake/mpi.cmake)

add_custom_target(vyre_examples)
file(GLOB examples CONFIGURE_DEPENDS examples/*.cc examples/*/*.cc)
list(FILTER examples EXCLUDE REGEX "/installed/")  # built by tools/install_test
list(FILTER examples EXCLUDE REGEX "/agree_mpi/")  # cmake/mpi.cmake
set(arguments_of_pipeline ${CMAKE_CURRENT_BINARY_DIR}/pipeline_cache 1.5)
set(arguments_of_share_opencl ${CMAKE_CURRENT_BINARY_DIR}/share_opencl_cache)
foreach(example ${examples})
  get_filename_component(name ${example} NAME_WE)
  get_filename_component(folder ${example} DIRECTORY)
  add_executable(example_${name} ${example})
  target_link_libraries(example_${name} PRIVATE vyre::vyre)
  add_dependencies(vyre_tests example_${name})
  add_dependencies(vyre_examples example_${name})
  add_test(NAME example.${name} COMMAND example_${name} ${arguments_of_${name}}
    WORKING_DIRECTORY ${folder})
endforeach()
# An application that links OpenCL itself, and shares its context with vyre.
find_package(OpenCL REQUIRED)
target_link_libraries(example_share_opencl PRIVATE OpenCL::OpenCL)
# The second start finds what the first one has decided.
add_test(NAME example.pipeline_again COMMAND example_pipeline ${arguments_of_pipeline})
set_tests_properties(example.pipeline_again PROPERTIES
  DEPENDS example.pipeline PASS_REGULAR_EXPRESSION " 0 decisions made")
add_test(NAME example.house_again COMMAND example_house
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/examples/house)
set_tests_properties(example.house example.house_again PROPERTIES
  ENVIRONMENT XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/house_cache)
set_tests_properties(example.house_again PROPERTIES
  DEPENDS example.house PASS_REGULAR_EXPRESSION "remembered: .* served from: decision; y.0. = 42")
add_test(NAME example.share_opencl_again COMMAND example_share_opencl ${arguments_of_share_opencl})
set_tests_properties(example.share_opencl_again PROPERTIES
  DEPENDS example.share_opencl PASS_REGULAR_EXPRESSION "launched with .* .decision.; y.0. = 21")
