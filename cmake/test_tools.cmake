# Where `tools/setup --all` puts what only tests and benchmarks use; tools/fetch_wheels has the same
# rule.
if(DEFINED ENV{VYRE_TEST_TOOLS})
  set(test_tools_dir $ENV{VYRE_TEST_TOOLS})
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(test_tools_dir $ENV{XDG_CACHE_HOME}/vyre-test-tools)
else()
  set(test_tools_dir $ENV{HOME}/.cache/vyre-test-tools)
endif()
set(VYRE_TEST_TOOLS_DIR ${test_tools_dir} CACHE PATH "What tools/setup --all has got for tests")
