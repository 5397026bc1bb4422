#!/bin/sh
# Keeps JSON at the edge: tools/check_json.sh REPOSITORY
# A struct describes its fields once (base/fields.h), and base/json.h makes its JSON, reads it and
# makes a schema of that. Refused are: more than `most` files that include the JSON library, any in
# cli and search, and base/json_probe.h outside tests.
most=30
cd "${1:-.}" || exit 2
failed=0
files=$(grep -rl '#include <nlohmann/' src bench tests --include='*.cc' --include='*.h')
count=$(echo "$files" | grep -c .)
if [ "$count" -gt "$most" ]; then
  echo "nlohmann's header is in $count files, and $most are allowed:"
  echo "$files"
  echo "Describe the struct instead (base/fields.h), and use base/json.h."
  failed=1
fi
if echo "$files" | grep -E '^src/(cli|search)/'; then
  echo "cli prints the text that app's results describe, and search knows core only: no JSON there."
  failed=1
fi
if grep -rl '"base/json_probe.h"' src bench --include='*.cc' --include='*.h' |
  grep -vE '_test\.cc$|test_support\.h$|test_server\.h$'; then
  echo "base/json_probe.h is for tests: read the JSON into a struct (base/json.h)."
  failed=1
fi
exit $failed
