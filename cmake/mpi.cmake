# The example with MPI, on 8 ranks, in the plain builds: MPI is not built with sanitizers. Where MPI is
# missing, the test says that it was skipped.
if(VYRE_SANITIZE)
  return()
endif()
add_custom_target(vyre_mpi_example)
find_package(MPI QUIET COMPONENTS CXX)
if(NOT MPI_CXX_FOUND OR NOT MPIEXEC_EXECUTABLE)
  add_test(NAME example.agree_mpi COMMAND ${CMAKE_COMMAND} -E echo "[  SKIPPED ] example.agree_mpi")
  set_tests_properties(example.agree_mpi PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED")
  return()
endif()

add_executable(example_agree_mpi examples/agree_mpi/agree_mpi.cc)
target_link_libraries(example_agree_mpi PRIVATE vyre::vyre MPI::MPI_CXX)
add_dependencies(vyre_mpi_example example_agree_mpi)
add_dependencies(vyre_tests example_agree_mpi)
# Open MPI refuses root, and more ranks than cores, unless it is told otherwise.
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpi_version ERROR_QUIET)
set(mpi_options "")
if(mpi_version MATCHES "Open MPI|OpenRTE")
  set(mpi_options --allow-run-as-root --oversubscribe)
endif()
add_test(NAME example.agree_mpi COMMAND ${MPIEXEC_EXECUTABLE} ${mpi_options} -n 8
  $<TARGET_FILE:example_agree_mpi>)
set_tests_properties(example.agree_mpi PROPERTIES TIMEOUT 120
  PASS_REGULAR_EXPRESSION "8 ranks serve 1 decision.*: equal on all")
