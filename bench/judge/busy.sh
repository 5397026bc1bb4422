#!/bin/sh
# Verdicts on one honest kernel on a machine that is busy: bench/judge/busy.sh HONE [ROUNDS] [LOOPS]
# Sixty copies of it are judged in each round on the fake CPU, and twenty pairs of them compared,
# beside LOOPS busy loops; told are the outcomes, the labels and how many were compared.
hone=${1:?usage: bench/judge/busy.sh HONE [ROUNDS] [LOOPS]}
rounds=${2:-3}
loops=${3:-3}
folder=$(mktemp -d)
busy=
trap 'kill $busy 2>/dev/null; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
mkdir "$folder/copy"
cat >"$folder/copy/task.toml" <<'TASK'
hone = 1
name = "copy"
summary = "Copies a vector."
[[input]]
name = "x"
dtype = "f32"
shape = ["n"]
draw = { kind = "normal", mean = 1.0 }
[[output]]
name = "y"
dtype = "f32"
shape = ["n"]
tolerance = { max = 1e-5, rms = 1e-5 }
[[case]]
name = "timed"
bind = { n = 4096 }
[work]
bytes = "8 * n"
flops = { f32 = "n" }
TASK
cat >"$folder/copy/reference.cc" <<'REFERENCE'
#include <hone/reference.h>
HONE_REFERENCE(call) { call.output("y") = call.input("x"); }
REFERENCE
for i in $(seq 60); do
  cat >"$folder/$i.fake" <<KERNEL
/* hone 1
[[launch]]
kernel = "run"
grid = [1]
block = [1]
args = ["x", "y"]
*/
kernel run(buffer, buffer) copy ns=$((1000 + i))
KERNEL
done
for _ in $(seq "$loops"); do
  sh -c 'while :; do :; done' &
  busy="$busy $!"
done
export HONE_HOME="$folder/home" HONE_QUICK=all
count() { grep -oE "\"$1\": ?\"?$2\"?" "$3" | wc -l; }
for _ in $(seq "$rounds"); do
  "$hone" eval "$folder/copy" "$folder"/*.fake --device fake:0 --no-record --json \
    >"$folder/out" 2>"$folder/err"
  for word in accepted cheating undecided; do
    echo "$word: $(count outcome $word "$folder/out")"
  done
  for i in $(seq 20); do
    "$hone" compare "$folder/copy" "$folder/$i.fake" "$folder/$((i + 20)).fake" --device fake:0 \
      --json >"$folder/pair" 2>"$folder/err"
    for word in true false; do echo "compared, $word: $(count compared $word "$folder/pair")"; done
    echo "said in comparisons by replay: $(count guard replay "$folder/pair")"
  done
  for guard in replay values; do echo "said by $guard: $(count guard $guard "$folder/out")"; done
done | awk '
  { n = $NF; sub(/: [0-9]+$/, ""); sum[$0] += n }
  END { for (word in sum) print word ": " sum[word] }' | sort
