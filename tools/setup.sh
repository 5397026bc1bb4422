#!/bin/sh
# Installs the Debian or Ubuntu packages that are missing: tools/setup.sh [build] [run] [test]
# It prints nothing when nothing is missing.
set -u
build="g++ cmake ninja-build pkg-config ccache nlohmann-json3-dev libcli11-dev libtomlplusplus-dev
  libfmt-dev libsqlite3-dev libseccomp-dev libssl-dev libcurl4-openssl-dev libyaml-cpp-dev
  opencl-headers libgtest-dev libgmock-dev"
# OpenCL on the CPU.
run="pocl-opencl-icd ocl-icd-libopencl1"
# For the fuzzers, for exports (which link with libOpenCL), for tests in Python and of the recipe.
test="clang ocl-icd-opencl-dev python3 python3-venv python3-jsonschema git"
# The official SDK of the Model Context Protocol, from PyPI.
sdk="mcp==2.3.0"
# For tasks and candidates in Python: 640 MB. Without it the tests name what they skip.
torch="python3-torch"
# A cluster on this machine, for the tests of workers. Without it the tests name what they skip.
slurm="slurmctld slurmd slurm-client"
wanted=""
testing=no
for purpose in "${@:-build}"; do
  case $purpose in
    build) wanted="$wanted $build" ;;
    run) wanted="$wanted $run" ;;
    test) wanted="$wanted $test"; testing=yes ;;
    *) echo "usage: tools/setup.sh [build] [run] [test]" >&2; exit 2 ;;
  esac
done

missing() {  # prints those of its arguments that are not installed
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -q '^installed$' ||
      printf '%s ' "$package"
  done
}

refuse() {
  echo "These packages are missing: $1" >&2
  echo "$2" >&2
  exit 1
}

install() {
  echo "Installing $*" >&2
  as_root=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      refuse "$*" "There is no sudo here; as root, run: apt-get install $*"
    as_root=sudo
  fi
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  if ! $as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1; then
    $as_root apt-get update -qq ||
      refuse "$*" "apt-get update failed: is there a network, and may you use sudo?"
    $as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null ||
      refuse "$*" "apt-get could not install them; see its message above."
  fi
}

if ! command -v dpkg-query >/dev/null; then
  # Another distribution: CMake reports what it does not find.
  command -v cmake >/dev/null && command -v ninja >/dev/null && exit 0
  refuse "$wanted" "This script knows Debian and Ubuntu only; install these, and run make again."
fi
# shellcheck disable=SC2046,SC2086
set -- $(missing $wanted)
[ $# -eq 0 ] || install "$@"
if [ $testing = yes ]; then
  # The run-time library of the installed version of clang.
  major=$(clang -dumpversion | cut -d. -f1)
  # shellcheck disable=SC2046
  set -- $(missing "libclang-rt-$major-dev")
  [ $# -eq 0 ] || install "$@"
  # shellcheck disable=SC2046,SC2086
  set -- $(missing $torch)
  [ $# -eq 0 ] || (install "$@") ||
    echo "Continuing without torch: tests of tasks and candidates in Python are skipped" >&2
  # shellcheck disable=SC2046,SC2086
  set -- $(missing $slurm)
  [ $# -eq 0 ] || (install "$@") ||
    echo "Continuing without Slurm: tests of clusters are skipped" >&2
  place=build/mcp-sdk
  set -- $place/lib/python*/site-packages/mcp
  if [ ! -d "$1" ]; then
    echo "Installing $sdk into $place" >&2
    { python3 -m venv $place && $place/bin/pip install -q --retries 1 --timeout 15 \
      --disable-pip-version-check "$sdk" >/dev/null 2>&1; } ||
      echo "Continuing without $sdk: the test mcp_sdk is skipped" >&2
  fi
fi
