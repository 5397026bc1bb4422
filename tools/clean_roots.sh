#!/bin/bash
# Installs what `make package` and `make wheel` made into fresh roots of Debian and Ubuntu, and uses
# it there: install, hone doctor, one verdict, uninstall. By hand, as root, with debootstrap and a
# network; minutes for each root:
#   tools/clean_roots.sh [SUITE...]      bookworm trixie jammy noble (default: bookworm)
# Roots are kept in $ROOTS (default: /var/tmp/hone-roots) and made anew with --fresh; $MIRROR is
# another mirror than the usual one, and $DEBOOTSTRAP_OPTIONS may say where the keys of Ubuntu's
# archive are (--keyring=FILE).
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
roots=${ROOTS:-/var/tmp/hone-roots}
fresh=no
if [ "${1:-}" = --fresh ]; then fresh=yes; shift; fi
[ $# -gt 0 ] || set -- bookworm
[ "$(id -u)" -eq 0 ] || { echo "chroot needs root" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "apt-get install debootstrap" >&2; exit 2; }
deb=$(ls "$here"/dist/hone_*_*.deb)
tarball=$(ls "$here"/dist/hone-*.tar.gz)
wheel=$(ls "$here"/dist/hone-*.whl)

mirror_of() {
  case $1 in
    jammy | noble | questing) echo "${MIRROR:-http://archive.ubuntu.com/ubuntu}" ;;
    *) echo "${MIRROR:-http://deb.debian.org/debian}" ;;
  esac
}

# Runs a command in the root, with mounts of its own that end with it. A chroot alone would forbid
# user namespaces, hence pivot_root.
inside() {
  local root=$1
  shift
  unshare -m bash -c 'root=$0
    mount --bind "$root" "$root" && cd "$root" && mount -t proc proc proc &&
      mount --rbind /sys sys && mount --rbind /dev dev &&
      mount -t tmpfs tmp tmp && mkdir -p .old && pivot_root . .old || exit 1
    exec chroot . /usr/bin/env -i \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      HOME=/root DEBIAN_FRONTEND=noninteractive HONE_QUICK=all \
      sh -c "umount -l /.old && exec \"\$@\"" - "$@"' "$root" "$@"
}

make_root() {
  local suite=$1 root=$2 components=main
  case $suite in jammy | noble | questing) components=main,universe ;; esac
  rm -rf "$root"
  echo "== $suite: a fresh root"
  # shellcheck disable=SC2086
  debootstrap ${DEBOOTSTRAP_OPTIONS:-} --variant=minbase --components=$components \
    --include=ca-certificates "$suite" "$root" "$(mirror_of "$suite")" >"$root.log" 2>&1 ||
    { tail -5 "$root.log" >&2; return 1; }
}

# A compiler for references, PoCL for the CPU, pip with its virtual environments, and man.
add_what_hone_needs() {
  inside "$1" apt-get update -qq
  inside "$1" apt-get install -y -qq --no-install-recommends \
    g++ pocl-opencl-icd ocl-icd-libopencl1 python3-venv man-db >"$1.log" 2>&1 ||
    { tail -5 "$1.log" >&2; return 1; }
}

verdict() {  # doctor and one verdict by this hone
  local root=$1 hone=$2
  inside "$root" "$hone" --version
  inside "$root" "$hone" doctor --no-measure >"$root.doctor" || { cat "$root.doctor"; return 1; }
  grep -E "opencl:0 |C\+\+ compiler|isolation" "$root.doctor"
  local task=/usr/share/doc/hone-try/softmax
  inside "$root" "$hone" eval $task $task/seed.cl --case odd 2>/dev/null | head -3
}

one() {
  local suite=$1 root=$roots/$1
  [ $fresh = no ] && [ -e "$root/etc/os-release" ] || make_root "$suite" "$root"
  add_what_hone_needs "$root"
  grep PRETTY_NAME "$root/etc/os-release"
  mkdir -p "$root/root/dist" "$root/usr/share/doc/hone-try"
  cp "$deb" "$tarball" "$wheel" "$root/root/dist"
  cp -r "$here/examples/softmax" "$root/usr/share/doc/hone-try"

  echo "== $suite: the package"
  inside "$root" apt-get install -y -qq --no-install-recommends \
    "/root/dist/$(basename "$deb")" >"$root.log" 2>&1 || { cat "$root.log"; return 1; }
  verdict "$root" hone
  inside "$root" sh -c 'MANPAGER=cat man -l /usr/share/man/man1/hone.1* | head -4
    test -s /usr/share/bash-completion/completions/hone'
  inside "$root" apt-get remove -y -qq hone >"$root.log" 2>&1
  ! inside "$root" sh -c 'command -v hone' || { echo "hone is still there" >&2; return 1; }

  echo "== $suite: the tarball"
  inside "$root" sh -c 'rm -rf /opt/hone && mkdir -p /opt/hone &&
    tar -C /opt/hone --strip-components=1 -xf /root/dist/hone-*.tar.gz'
  verdict "$root" /opt/hone/bin/hone
  rm -rf "$root/opt/hone"

  echo "== $suite: the wheel"
  inside "$root" sh -c 'python3 -m venv /root/venv &&
    /root/venv/bin/pip install --no-index -q /root/dist/hone-*.whl'
  verdict "$root" /root/venv/bin/hone
  inside "$root" sh -c '/root/venv/bin/pip uninstall -q -y hone && ! test -e /root/venv/bin/hone'
  echo "== $suite: everything was installed, used and removed"
}

mkdir -p "$roots"
for suite; do one "$suite"; done
