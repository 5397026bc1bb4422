#!/bin/bash
# Shows that no test depends on an idle machine: tools/busy_tests.sh BUILD_DIR [eight|four|idle|all]
# [REPETITIONS]
#   eight  the tests of judge and self-test, REPETITIONS times (default 10) beside eight busy loops
#   four   all tests once, beside four busy loops
#   idle   all tests once, beside nothing
# Prints a table and fails where a test failed. What a failing test said is in
# BUILD_DIR/busy_tests.log.
set -u
build=${1:?usage: tools/busy_tests.sh BUILD_DIR [eight|four|idle|all] [REPETITIONS]}
part=${2:-all}
repetitions=${3:-10}
case $part in
  eight | four | idle | all) ;;
  *) echo "usage: tools/busy_tests.sh BUILD_DIR [eight|four|idle|all] [REPETITIONS]" >&2; exit 2 ;;
esac
log=$build/busy_tests.log
judging='^(judge|judge_python|judge_python_without|selftest|selftest_without|runner)$'
jobs=$((2 * $(nproc)))
: >"$log"

loops=()
end_loops() {
  for pid in "${loops[@]}"; do kill "$pid" 2>/dev/null; done
  wait "${loops[@]}" 2>/dev/null
  loops=()
}
trap end_loops EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# Each loop has its own session: the scheduler divides the processor between sessions first.
start_loops() {
  for _ in $(seq "$1"); do
    setsid sh -c 'while :; do :; done' &
    loops+=($!)
  done
}

rows=()
failed=0
run() {  # NAME COUNT, then the words for ctest
  local name=$1 count=$2 passed=0 start=$SECONDS
  shift 2
  for i in $(seq "$count"); do
    echo "=== $name, $i of $count, load $(cut -d' ' -f1 /proc/loadavg)" >>"$log"
    if ctest --test-dir "$build" --output-on-failure "$@" >>"$log" 2>&1; then
      passed=$((passed + 1))
    else
      failed=1
      tail -n 20 "$log" | sed -n '/The following tests FAILED/,$p'
    fi
  done
  rows+=("$(printf '| %-38s | %2d of %-2d | %6d s | %5s |' "$name" "$passed" "$count" \
    $(((SECONDS - start) / count)) "$(cut -d' ' -f1 /proc/loadavg)")")
  echo "${rows[-1]}"
}

if [ "$part" = eight ] || [ "$part" = all ]; then
  start_loops 8
  run "judge and self-test beside eight loops" "$repetitions" -R "$judging" -j "$jobs"
  end_loops
fi
if [ "$part" = four ] || [ "$part" = all ]; then
  start_loops 4
  run "all tests beside four loops" 1 -j "$jobs"
  end_loops
fi
if [ "$part" = idle ] || [ "$part" = all ]; then
  run "all tests, nothing beside them" 1 -j "$jobs"
fi
echo
echo "| what                                   | passed   | each     | load  |"
echo "| -------------------------------------- | -------- | -------- | ----- |"
printf '%s\n' "${rows[@]}"
exit $failed
