#!/bin/sh
# Refuses a stale command reference: tools/check_commands.sh HONE [REPOSITORY]
# It compares docs/commands.md with what `hone man --markdown` writes.
hone=${1:?usage: tools/check_commands.sh HONE [REPOSITORY]}
page=${2:-.}/docs/commands.md
"$hone" man --markdown | diff -u "$page" - && exit 0
echo "$page is stale: write it again with hone man --markdown > docs/commands.md"
exit 1
