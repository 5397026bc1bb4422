#!/bin/sh
# ci/compare.sh in a repository of its own, on the fake GPU, whose clock is its own:
# tests/ci/compare_test.sh HONE SOURCE
set -u
hone=$1 source=$2
command -v git >/dev/null || { echo "skipped: git is not installed"; exit 0; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export HONE_HOME="$place/home" HONE_CONFIG="" HONE_QUICK=all
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
mkdir "$place/repository"
cd "$place/repository" || exit 1
failed=0

kernel() { # FILE BEHAVIOUR
  printf '/* hone 1\n[[launch]]\nkernel = "run"\ngrid = [1]\nblock = [1]\n' >"$1"
  printf 'args = ["x", "y"]\n*/\n' >>"$1"
  echo "kernel run(buffer, buffer) $2" >>"$1"
}

# expect CODE TEXT OPTIONS...: what the script ends with, and says in the comment or on stderr.
expect() {
  code=$1 text=$2
  shift 2
  rm -rf out
  "$source/ci/compare.sh" --hone "$hone" --device fake:1 --out out "$@" >said 2>&1
  got=$?
  if [ $got -ne "$code" ] || ! grep -qF -- "$text" said; then
    echo "FAILED: $* gave $got, not $code with '$text':"
    cat said
    failed=1
  fi
}

git init -q .
mkdir -p tasks/copy kernels
cat >tasks/copy/task.toml <<'TASK'
hone = 1
name = "copy"
summary = "A copy."
[[input]]
name = "x"
dtype = "f32"
shape = ["n"]
draw = { kind = "normal" }
[[output]]
name = "y"
dtype = "f32"
shape = ["n"]
tolerance = { max = 0, rms = 0 }
[[case]]
name = "main"
bind = { n = 1024 }
[work]
bytes = "8 * n"
flops = { f32 = "n" }
TASK
cat >tasks/copy/reference.cc <<'REFERENCE'
#include <hone/reference.h>
HONE_REFERENCE(call) { call.output("y") = call.input("x"); }
REFERENCE
kernel kernels/copy.fake "copy ns=2000000000"
git add . && git commit -q -m base
same="--task tasks/copy --candidate kernels/copy.fake --base HEAD"

kernel kernels/copy.fake "copy ns=1000000000"
# shellcheck disable=SC2086
{
  expect 0 "is faster than that of HEAD" $same
  [ -s out/archive.db ] && [ -s out/comparison.json ] && grep -q '^| main |' out/comment.md ||
    { echo "FAILED: the archive or the table is missing"; failed=1; }
  expect 0 "is faster" $same --require faster
  kernel kernels/copy.fake "copy ns=4000000000"
  expect 10 "is slower" $same
  expect 0 "is slower" $same --require accepted
  kernel kernels/copy.fake "copy ns=2000000000 "
  expect 0 "is as fast as" $same
  expect 11 "is as fast as" $same --require faster
  kernel kernels/copy.fake "zeros ns=1000000000"
  expect 1 "is not accepted: wrong" $same
  # A change that weakens the task is judged by the base's.
  sed -i 's/max = 0, rms = 0/max = 9, rms = 9/' tasks/copy/task.toml
  expect 1 "judged by the task of the base" $same
  git checkout -q tasks
  expect 2 "there is no such option" $same --burn
  expect 2 "no such value" $same --device 'a b;c'
  expect 2 "not-slower, faster or accepted" $same --require luck
  expect 2 "are needed" --task tasks/copy
  expect 2 "inside the repository" --task ../copy --candidate kernels/copy.fake --base HEAD
  expect 3 "fetch-depth" --task tasks/copy --candidate kernels/copy.fake --base nothing
  expect 3 "no such file" --task tasks/copy --candidate kernels/none.fake --base HEAD
  expect 3 "could not be judged" --task tasks/none --candidate kernels/copy.fake --base HEAD
  expect 4 "there is no program" $same --hone "$place/none"
}
kernel kernels/new.fake "copy ns=1000000000"
expect 0 "nothing to compare with" --task tasks/copy --candidate kernels/new.fake --base HEAD
# Every word that a comparison may end with is told; the busy machine's cannot be had by force.
for word in "faster" "slower" "same" "cannot tell"; do
  printf '{"compared": true, "word": "%s", "ratio": 0.9, "low": null,' "$word" >word.json
  echo ' "high": null, "cases": [], "a": null, "b": null}' >>word.json
  python3 "$source/ci/comment.py" word.json k.cu main >word.md
  grep -q '0.9 of its time' word.md ||
    { echo "FAILED: there is no sentence for '$word'"; failed=1; }
done
# Nothing that a change writes becomes markup of the comment.
printf '{"error": {"code": 3, "kind": "bad_input", "message": "```\\n# <b>@all</b>"}}' >evil.json
python3 "$source/ci/comment.py" evil.json 'a|<img>`' 'main' >evil.md
grep -q '^````$' evil.md && grep -qF 'a\|\<img\>\`' evil.md ||
  { echo "FAILED: markup came through"; cat evil.md; failed=1; }
exit $failed
