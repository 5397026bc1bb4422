#!/bin/sh
# Every test that was built, then the fuzzers: tools/test.sh BUILD_DIR JOBS
# Two tests for each core run at a time, since tests also wait for processes. The fuzzers are
# compiled meanwhile, and run after the tests.
build=${1:?usage: tools/test.sh BUILD_DIR JOBS}
jobs=${2:?usage: tools/test.sh BUILD_DIR JOBS}
log=$build/fuzzers.log
rm -rf "$build"/test_cache/*  # what tests of another state have built
failed=0
# In a session of its own, which ends with this script whatever ends it.
setsid make --no-print-directory fuzzers JOBS=1 >"$log" 2>&1 &
fuzzers=$!
trap 'kill -TERM -$fuzzers 2>/dev/null' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
ctest --test-dir "$build" -j $((2 * jobs)) --output-on-failure || failed=1
if wait $fuzzers; then
  make --no-print-directory fuzz JOBS="$jobs" FUZZ_RUNS=1000 || failed=1
else
  cat "$log"
  failed=1
fi
exit $failed
