#!/bin/sh
# The gate for honest code beside a busy core: bench/judge/honest.sh HONE [RUNS] [LOOPS] [DEVICE]
# RUNS evaluations (100) of the self-test's honest candidates, native code and Python in turn, each
# in a process of its own, beside LOOPS busy loops (1). None may be convicted and at most 2 labelled
# by a guard that goes by the clock; those that are undecided are counted apart. Exits with 1 where
# that does not hold.
hone=${1:?usage: bench/judge/honest.sh HONE [RUNS] [LOOPS] [DEVICE]}
runs=${2:-100}
loops=${3:-1}
device=${4:-opencl:0}
folder=$(mktemp -d)
busy=
trap 'kill $busy 2>/dev/null; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export HONE_HOME="$folder/home"
"$hone" resources export "$folder/files" >/dev/null || exit 4
candidates="axpy/honest.cl axpy/honest.py logsum/honest.cl logsum/honest.py variance/honest.cl
  variance/honest.py rowsum/honest.cl weighted/honest.py"
files=$folder/files/selftest
judge() { "$hone" eval "$files/tasks/${1%/*}" "$files/$1" --device "$device" --no-record --json; }
for one in $candidates; do # ceilings, references and builds are made before anything counts
  judge "$one" >/dev/null 2>&1
done
for _ in $(seq "$loops"); do
  sh -c 'while :; do :; done' &
  busy="$busy $!"
done
echo "$runs runs beside $loops busy loops on $(nproc) cores"
echo "load $(cut -d' ' -f1 /proc/loadavg) when it began"
done=0
while [ "$done" -lt "$runs" ]; do
  for one in $candidates; do
    [ "$done" -lt "$runs" ] || break
    done=$((done + 1))
    judge "$one" >"$folder/out" 2>"$folder/err"
    code=$?
    said=$(grep -oE '"guard": ?"(replay|values|overlap|judge-clock)"' "$folder/out" |
      grep -oE '[a-z-]+"$' | tr -d '"' | sort -u | tr '\n' ' ')
    case "$code,$said" in
      0,) echo "accepted" ;;
      0,*) echo "mislabelled" ;;
      13,*) echo "undecided" ;;
      1,*) echo "convicted" ;;
      *) echo "failed" ;;
    esac
    [ "$code,$said" = "0," ] || echo "$one: exit code $code $said" >&2
  done
done >"$folder/words"
echo "load $(cut -d' ' -f1 /proc/loadavg) when it ended"
count() { grep -cx "$1" "$folder/words"; }
for word in accepted undecided mislabelled convicted failed; do echo "$word: $(count $word)"; done
[ "$(count convicted)" -eq 0 ] && [ "$(count failed)" -eq 0 ] && [ "$(count mislabelled)" -le 2 ]
