#!/bin/sh
# Runs every fuzzer over its corpus and then over a bounded number of new inputs:
#   tests/fuzz/run.sh BUILD_DIR RUNS [SEED]
# An input that fails is left in BUILD_DIR/fuzz-findings. Once the error is fixed, add the input to
# the corpus.
build=${1:?usage: tests/fuzz/run.sh BUILD_DIR RUNS [SEED]}
runs=${2:?usage: tests/fuzz/run.sh BUILD_DIR RUNS [SEED]}
seed=${3:-1}
here=$(cd "$(dirname "$0")" && pwd)
findings=$build/fuzz-findings
mkdir -p "$findings"
run_one() {  # leaves a file NAME.failed behind where something was found
  grown=$(mktemp -d)  # new inputs go here, not into the repository
  log=$findings/$1.log
  rm -f "$findings/$1.failed"
  if "$build/tests/fuzz/fuzz_$1" -runs="$runs" -seed="$seed" -max_len=4096 -timeout=20 \
    -rss_limit_mb=2048 -print_funcs=0 -dict="$here/$1.dict" \
    -artifact_prefix="$findings/$1-" "$grown" "$here/corpus/$1" >"$log" 2>&1; then
    known=$(find "$here/corpus/$1" -type f | wc -l)
    echo "fuzz_$1: $known inputs of the corpus and $runs new ones, nothing found"
  else
    tail -n 40 "$log" >&2
    echo "fuzz_$1: failed; the input that broke it is in $findings" >&2
    touch "$findings/$1.failed"
  fi
  rm -rf "$grown"
}

# Two lists of about the same length, beside each other.
(for name in plan expr task reply; do run_one $name; done) &
for name in records sass ncu; do run_one $name; done
wait
for name in plan expr task reply records sass ncu; do
  [ ! -e "$findings/$name.failed" ] || exit 1
done
