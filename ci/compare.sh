#!/bin/sh
# Compares a kernel of this checkout with the same file of another commit, for continuous
# integration. It needs git, python3 and hone; docs/agents.md says how it is used.
set -u
usage="usage: ci/compare.sh --task TASK --candidate FILE --base COMMIT [options]
  --task TASK        the task's folder in the repository, or kernelbench:LEVEL/NUMBER
  --candidate FILE   the kernel, in this checkout
  --base COMMIT      what it is compared with: origin/main
  --require WORD     what is asked of it: not-slower (default), faster, or accepted
  --out DIR          comment.md, comparison.json and the archive go there (default: hone-ci)
  --hone PROGRAM     (default: hone, from the path)
  --device DEVICE    --max-seconds S   --depth DEPTH   as of \`hone compare\`
Exit codes: 0 what is required was shown, 1 the candidate is not accepted, 2 usage, 3 a task or file
cannot be used, 4 the machine cannot judge, 10 slower, 11 the same, 12 cannot tell, 13 undecided."
task='' candidate='' base='' require=not-slower out=hone-ci hone=hone options=''

refuse() { # CODE TEXT
  echo "ci/compare.sh: $2" >&2
  exit "$1"
}

while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) echo "$usage"; exit 0 ;;
    --task | --candidate | --base | --require | --out | --hone | --device | --max-seconds | --depth)
      [ $# -ge 2 ] || refuse 2 "$1 needs a value"
      case $1 in
        --task) task=$2 ;;
        --candidate) candidate=$2 ;;
        --base) base=$2 ;;
        --require) require=$2 ;;
        --out) out=$2 ;;
        --hone) hone=$2 ;;
        *)
          case $2 in
            '' | *[!A-Za-z0-9.:,_-]*) refuse 2 "$1 $2: that is no such value" ;;
          esac
          options="$options $1 $2"
          ;;
      esac
      shift 2
      ;;
    *) refuse 2 "$1: there is no such option
$usage" ;;
  esac
done
[ -n "$task" ] && [ -n "$candidate" ] && [ -n "$base" ] ||
  refuse 2 "--task, --candidate and --base are needed
$usage"
case $require in
  not-slower | faster | accepted) ;;
  *) refuse 2 "--require $require: it is not-slower, faster or accepted" ;;
esac
case $task$candidate in
  /* | *../*) refuse 2 "--task and --candidate are paths inside the repository" ;;
esac
command -v "$hone" >/dev/null ||
  refuse 4 "there is no program $hone: install it (pip install hone-*.whl), or name it with --hone"
command -v python3 >/dev/null || refuse 4 "python3 is needed, for the comment"
commit=$(git rev-parse --verify --quiet "$base^{commit}") ||
  refuse 3 "git has no commit $base: fetch it (with actions/checkout: fetch-depth: 0)"
[ -f "$candidate" ] || refuse 3 "$candidate: there is no such file in this checkout"

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out" || refuse 4 "$out cannot be made"
rm -rf "$out/base"
mkdir -p "$out/base"

# The task is the base's: a change that weakens it must not judge itself.
judged_by=$task
note=''
if git cat-file -e "$commit:$task/task.toml" 2>/dev/null; then
  git archive "$commit" -- "$task" | tar -x -C "$out/base" ||
    refuse 3 "$task of $base cannot be read"
  judged_by=$out/base/$task
  git diff --quiet "$commit" -- "$task" ":(exclude)$candidate" 2>/dev/null ||
    note="This change also changes the task; the candidate was judged by the task of the base."
fi

status=0
if git cat-file -e "$commit:$candidate" 2>/dev/null; then
  old=$out/base/$candidate
  mkdir -p "$(dirname "$old")"
  git show "$commit:$candidate" >"$old" || refuse 3 "$candidate of $base cannot be read"
  # shellcheck disable=SC2086
  "$hone" compare "$judged_by" "$old" "$candidate" --json --archive "$out/archive.db" $options \
    >"$out/comparison.json" || status=$?
else
  # A new kernel has nothing to be compared with.
  options=$(echo "$options" | sed 's/--max-seconds [^ ]*//')
  # shellcheck disable=SC2086
  "$hone" eval "$judged_by" "$candidate" --json --archive "$out/archive.db" $options \
    >"$out/comparison.json" || status=$?
fi
python3 "$here/comment.py" "$out/comparison.json" "$candidate" "$base" "$note" >"$out/comment.md" ||
  refuse 4 "the comment cannot be written"
cat "$out/comment.md"

case $require:$status in
  accepted:1[012] | not-slower:1[12]) exit 0 ;;
  *) exit $status ;;
esac
