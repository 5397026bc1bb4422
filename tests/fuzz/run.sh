#!/bin/sh
# Runs every fuzzer over its corpus and then a bounded number of new inputs: tests/fuzz/run.sh BUILD_DIR RUNS [SEED]
# What breaks is left in BUILD_DIR/fuzz-findings; put it in the corpus once it is mended.
build=${1:?usage: tests/fuzz/run.sh BUILD_DIR RUNS [SEED]}
runs=${2:?usage: tests/fuzz/run.sh BUILD_DIR RUNS [SEED]}
seed=${3:-1}
here=$(cd "$(dirname "$0")" && pwd)
findings=$build/fuzz-findings
mkdir -p "$findings"
status=0
for name in plan expr task reply records sass ncu; do
  grown=$(mktemp -d)  # new inputs go here, not into the repository
  log=$findings/$name.log
  if "$build/tests/fuzz/fuzz_$name" -runs="$runs" -seed="$seed" -max_len=4096 -timeout=20 -rss_limit_mb=2048 -print_funcs=0 \
    -dict="$here/$name.dict" -artifact_prefix="$findings/$name-" "$grown" "$here/corpus/$name" >"$log" 2>&1; then
    echo "fuzz_$name: $(find "$here/corpus/$name" -type f | wc -l) inputs of the corpus and $runs new ones, nothing found"
  else
    tail -n 40 "$log" >&2
    echo "fuzz_$name: failed; the input that broke it is in $findings" >&2
    status=1
  fi
  rm -rf "$grown"
done
exit $status
