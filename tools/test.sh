#!/bin/sh
# Every test that was built, then the fuzzers: tools/test.sh BUILD_DIR JOBS
# Both at normal priority, one after the other: beside each other one of them would wait for the other, and its time
# limits would run meanwhile.
build=${1:?usage: tools/test.sh BUILD_DIR JOBS}
jobs=${2:?usage: tools/test.sh BUILD_DIR JOBS}
rm -rf "$build"/test_cache/*  # what tests of another state have built
failed=0
# One more than there are cores: tests wait for processes more than they compute.
ctest --test-dir "$build" -j $((jobs + 1)) --output-on-failure || failed=1
make --no-print-directory fuzz JOBS="$jobs" FUZZ_RUNS=5000 || failed=1
exit $failed
