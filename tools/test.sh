#!/bin/sh
# Every test that was built: tools/test.sh BUILD_DIR JOBS
# Tests wait for clocks and processes more than they compute. So the fuzzers are built and run beside them, at the lowest priority, on what they leave of
# the processor; the two that try guards which go by the clock run last, one after the other.
build=${1:?usage: tools/test.sh BUILD_DIR JOBS}
jobs=${2:?usage: tools/test.sh BUILD_DIR JOBS}
log=$build/fuzz.log
rm -rf "$build"/test_cache/*  # what tests of another state have built
# A session of their own, which ends with this script whatever ends it.
setsid nice -n 19 make --no-print-directory fuzz JOBS="$jobs" FUZZ_RUNS=5000 >"$log" 2>&1 &
fuzz=$!
trap 'kill -TERM -$fuzz 2>/dev/null' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
failed=0
ctest --test-dir "$build" -LE clock -j $((jobs + 1)) --output-on-failure || failed=1
echo "waiting for the fuzzers (their output: $log)"
if wait $fuzz; then
  grep "^fuzz_" "$log"
else
  cat "$log"
  failed=1
fi
ctest --test-dir "$build" -L clock --output-on-failure || failed=1
exit $failed
