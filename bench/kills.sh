#!/bin/sh
# Kills a run at COUNT random moments (100 without it) and resumes it each time: nothing may be lost
# or done twice.
#   bench/kills.sh BUILD [COUNT]
build=${1:?usage: bench/kills.sh BUILD [COUNT]}
HONE_KILLS=${2:-100} exec "$build/tests/hone_end_to_end_test" \
  --gtest_filter='RunKilled.*:SpoolRun.LosesNothing*'
