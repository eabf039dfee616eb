# What tools/test and tools/soak share. Source it from the top folder of the checkout.

export LC_ALL=C.UTF-8
jobs=$(nproc)
logs=build/logs
mkdir -p "$logs"

# Used when it is there; a fresh machine does without.
if command -v ccache > /dev/null && [ -z "${CMAKE_CXX_COMPILER_LAUNCHER+set}" ]; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros
fi

# step NAME COMMAND...: runs the command quietly. Prints its name, its seconds and, if there is
# one, the line that it left in $summary; on failure the end of its log, and ends the script.
step() {
  local name=$1 log start=$SECONDS
  shift
  log=$logs/${name// /_}.log
  printf '%-24s' "$name"
  summary=$logs/summary
  : > "$summary"
  # In a subshell of its own, so that `set -e` holds inside functions too.
  set +e
  (set -e; "$@") > "$log" 2>&1
  local status=$?
  set -e
  printf '%5d s  %s\n' $((SECONDS - start)) "$(sed '2,$s/^/                                 /' "$summary")"
  [ $status -eq 0 ] && return
  echo "--- the end of $log:"
  tail -n "${LOG_LINES:-60}" "$log"
  echo "--- failed: $name"
  exit 1
}

# Sanitizers and a driver that was not built with them: its leaks are not ours, and its locks are
# invisible to ThreadSanitizer, so that it gets no driver at all. Everything else gets one, PoCL
# where it is installed: drivers bring compilers, and two in one process may not agree.
suit_sanitizers() {
  export LSAN_OPTIONS=suppressions=$PWD/tools/leaks.supp:print_suppressions=0
  local pocl=/etc/OpenCL/vendors/pocl.icd
  if [ "$1" = tsan ]; then
    export OCL_ICD_VENDORS=$PWD/build/no_drivers VK_ICD_FILENAMES=$PWD/build/no_drivers/none.json
  elif [ -z "${OCL_ICD_VENDORS-}" ] && [ -e $pocl ]; then
    export OCL_ICD_VENDORS=$pocl
  fi
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  suit_sanitizers "$preset"
  cmake --preset "$preset"
  cmake --build "build/$preset" -j "$jobs" ${1+--target "$@"}
}

# run_tests PRESET [CTEST_OPTION...]: the tests of that build. Those that were skipped are not
# counted as passed, and are printed by name.
run_tests() {
  local status=0 log=$logs/ctest_$1.log
  suit_sanitizers "$1"
  ctest --test-dir "build/$1" -j "$jobs" --verbose --no-tests=error "${@:2}" > "$log" 2>&1 ||
    status=$?
  # ctest puts a number before what a program prints: "7: [  PASSED  ] 29 tests."
  awk -v file="$summary" '
    / \[  PASSED  \] [0-9]+ tests?\./ {passed += $5}
    / \[  SKIPPED \] [^ ]+$/ {if (!($NF in skipped)) {skipped[$NF]; ++skips}}
    / \[  FAILED  \] [^ ]+$/ {if (!($NF in failed)) {failed[$NF]; ++failures}}
    / \.+ *Passed/ && / example\./ {++passed}
    END {
      printf "%d passed, %d failed, %d skipped\n", passed - 0, failures, skips > file
      for (name in skipped) print "skipped: " name > file
    }' "$log"
  head -n 1 "$summary" >> "$logs/totals"
  [ "$status" -eq 0 ] || grep -E '^[0-9]+: .*(FAILED|Failure|ERROR|SUMMARY)|\*\*\*|tests passed' -A 8 "$log" || true
  return $status
}

# run_tidy [--all]
run_tidy() {
  local status=0
  tools/tidy "$@" > "$logs/tidy.out" || status=$?
  cat "$logs/tidy.out"
  [ $status -eq 0 ] && tail -n 1 "$logs/tidy.out" > "$summary"
  return $status
}

# The closing line: all tests of all builds together.
finish() {
  printf '%d:%02d minutes\n' $((SECONDS / 60)) $((SECONDS % 60))
  awk '{passed += $1; failed += $3; skipped += $5}
    END {printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped}' "$logs/totals"
}
