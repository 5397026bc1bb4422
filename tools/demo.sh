#!/bin/sh
# What Hone does on its own: tunes a matrix product and a softmax on this machine's CPU. tools/demo.sh [HONE] [MINUTES of search for each]
set -e
hone=${1:-build/hone}
minutes=${2:-0.7}
out=build/demo
mkdir -p "$out"
# PoCL alone, so that the demonstration is the same where other OpenCL devices are.
[ -f /etc/OpenCL/vendors/pocl.icd ] && export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
"$hone" doctor --device opencl:0
for task in matmul softmax; do
  printf '\nTuning %s: hone tune examples/%s examples/%s/seed.cl\n' $task $task $task
  "$hone" tune examples/$task examples/$task/seed.cl --device opencl:0 --max-minutes "$minutes" --archive "$out/archive.db" --out "$out/$task.tuned.cl"
done
printf '\nWhat came of it (hone runs):\n'
"$hone" runs --archive "$out/archive.db" --limit 2
