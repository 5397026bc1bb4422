#!/bin/bash
# Comparisons through the command line, with all that a user waits for: how many equal pairs are
# called different, how many cannot be told, and how long it takes.
#   bench/judge/compare.sh HONE COUNT
#       every kernel of examples/ and bench/h200 with itself, COUNT times
#   bench/judge/compare.sh HONE COUNT TASK A B [MORE...]
#       these two; MORE are options of `hone compare`, --case for one
# Verdicts are made first (hone eval), so that comparisons take them from the archive. The exit code
# of `hone compare` is its answer: 0 faster, 10 slower, 11 same, 12 cannot tell.
set -u
export LC_ALL=C
hone=$1 count=$2
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT

# compare_often TASK A B [options]: a line "code seconds" for each comparison, and the counts of
# this pair.
compare_often() {
  local task=$1 a=$2 b=$3 mine one
  mine=$(mktemp)
  for one in "$a" "$b"; do
    "$hone" eval "$task" "$one" > /dev/null || { echo "$task: $one is not accepted"; return; }
    [ "$a" != "$b" ] || break
  done
  for _ in $(seq "$count"); do
    local start=$EPOCHREALTIME code
    "$hone" compare "$@" > /dev/null 2>&1
    code=$?
    awk -v code=$code -v start="$start" -v end="$EPOCHREALTIME" \
      'BEGIN { print code, end - start }' >> "$mine"
  done
  summary "$(basename "$task")" < "$mine"
  cat "$mine" >> "$lines"
  rm -f "$mine"
}

summary() {
  sort -n -k 2 | awk -v name="$1" '
    { codes[$1]++; seconds[NR] = $2 }
    END {
      different = codes[0] + codes[10]
      failed = NR - different - codes[11] - codes[12]
      printf "%-24s %4d comparisons: %d faster, %d slower, %d same, %d cannot tell, %d failed; ",
             name, NR, codes[0], codes[10], codes[11], codes[12], failed
      printf "%d called different; %.2f s at the median\n", different, seconds[int((NR + 1) / 2)]
    }'
}

if [ $# -gt 0 ]; then
  compare_often "$@"
  exit
fi
for kernel in "$root"/examples/*/seed.cu "$root"/bench/h200/*/candidate.cu; do
  compare_often "$(dirname "$kernel")" "$kernel" "$kernel"
done
summary "all" < "$lines"
