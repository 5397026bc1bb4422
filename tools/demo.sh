#!/bin/sh
# What Hone does with no GPU and no API key, on this machine's CPU: tunes a matrix product and a
# softmax, then replays a recorded run of the scientist, whose kernels are built, judged and timed
# here. tools/demo.sh [HONE] [MINUTES of search for each task]
set -e
hone=${1:-build/hone}
minutes=${2:-0.5}
out=build/demo
mkdir -p "$out"
# PoCL alone, so that the demonstration is the same where other OpenCL devices are.
[ -f /etc/OpenCL/vendors/pocl.icd ] && export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
echo "This takes some minutes. First, what is here (the device's ceilings are measured once):"
"$hone" doctor --device opencl:0
for task in matmul softmax; do
  printf '\nTuning %s for %s min, then certifying the winner: ' $task "$minutes"
  echo "hone tune examples/$task examples/$task/seed.cl"
  "$hone" tune examples/$task examples/$task/seed.cl --device opencl:0 --max-minutes "$minutes" \
    --archive "$out/archive.db" --out "$out/$task.tuned.cl"
done
recording=bench/results/recorded/matmul.cpu.jsonl
printf '\nThe scientist on the same product, its answers from a recording (about a minute): '
echo "hone run examples/matmul --llm replay:$recording"
# The first two of the recorded generations, with the settings of the recording.
"$hone" run examples/matmul --device opencl:0 --archive "$out/archive.db" --llm replay:$recording \
  --max-candidates 8 --width 4 --tries 2 --stop-after-flat 0 --feedback none
run=$("$hone" runs --json --limit 1 --archive "$out/archive.db" |
  sed -n 's/.*"id": "\(r[0-9a-f]*\)".*/\1/p' | head -1)
"$hone" best "$run" --archive "$out/archive.db" -o "$out/matmul.best.cl" --force
"$hone" report "$run" --archive "$out/archive.db" -o "$out/report.md" --force
printf '\nWhat came of it (hone runs):\n'
"$hone" runs --archive "$out/archive.db" --limit 3
