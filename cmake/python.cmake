# The test `python`: the wheel, built from this build's library, in a fresh environment. Python itself
# is not built with sanitizers, so it runs in the plain builds.
if(NOT VYRE_SANITIZE)
  add_test(NAME python COMMAND ${PROJECT_SOURCE_DIR}/tools/python_test ${CMAKE_BINARY_DIR})
  set_tests_properties(python PROPERTIES TIMEOUT 600 COST 200
    ENVIRONMENT VYRE_TEST_TOOLS=${VYRE_TEST_TOOLS_DIR})
endif()
