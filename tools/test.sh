#!/bin/sh
# Every test that was built: tools/test.sh BUILD_DIR JOBS
# Tests wait for clocks and processes more than they compute. So the fuzzers are built and run beside them, at the lowest priority, on what they leave of
# the processor; those that try guards which go by the clock run last, with nothing beside them.
build=${1:?usage: tools/test.sh BUILD_DIR JOBS}
jobs=${2:?usage: tools/test.sh BUILD_DIR JOBS}
log=$build/fuzz.log
nice -n 19 make --no-print-directory fuzz JOBS="$jobs" >"$log" 2>&1 &
fuzz=$!
ctest --test-dir "$build" -LE alone -j $((jobs + 1)) --output-on-failure
tests=$?
echo "waiting for the fuzzers (their output: $log)"
if wait $fuzz; then grep "^fuzz_" "$log"; else cat "$log"; tests=1; fi
[ $tests = 0 ] || exit 1
exec ctest --test-dir "$build" -L alone --output-on-failure
