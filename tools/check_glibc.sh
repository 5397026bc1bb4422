#!/bin/sh
# Fails where a binary wants a newer C library than stated, or any other library:
# tools/check_glibc.sh BINARY [VERSION]
binary=${1:?usage: tools/check_glibc.sh BINARY [VERSION]}
oldest=${2:-2.34}
symbols=$(objdump -T "$binary") || exit 2
wanted=$(echo "$symbols" | sed -n 's/.*GLIBC_\([0-9][0-9.]*\).*/\1/p' | sort -V | tail -1)
if [ "$(printf '%s\n%s\n' "$wanted" "$oldest" | sort -V | tail -1)" != "$oldest" ]; then
  echo "$binary wants GLIBC_$wanted, newer than $oldest:" >&2
  echo "$symbols" | grep -F "GLIBC_$wanted" >&2
  exit 1
fi
known='^(libc|libm|libdl|libpthread|librt|ld-linux-x86-64|ld-linux-aarch64)\.so'
others=$(objdump -p "$binary" | sed -n 's/^ *NEEDED *//p' | grep -Ev "$known")
if [ -n "$others" ]; then
  echo "$binary also needs: $others" >&2
  exit 1
fi
echo "$binary runs on glibc $wanted and newer"
