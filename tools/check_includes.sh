#!/bin/sh
# Refuses an include that goes up or sideways between the modules under src/. A row names a module and all it may see.
cd "${1:-.}/src" || exit 2
status=0
check() {
  module=$1; shift
  [ -d "$module" ] || return 0
  allowed=" $module $* "
  for include in $(grep -rhoE '^#include "[a-z_]+/' "$module" | sed 's/.*"//; s,/,,' | sort -u); do
    case "$allowed" in
      *" $include "*) ;;
      *) echo "src/$module includes \"$include/...\", which it may not see (it may see:$allowed):"
         grep -rnE "^#include \"$include/" "$module"; status=1 ;;
    esac
  done
}
check base
check core base
check device core base
check runner device core base
check store core base
check task core base
check adapters task runner device core base
check llm core base
check exec core base
check judge runner store task device core base
check profile judge runner store task device core base
check search core base
check agents llm task core base
check run agents profile llm exec judge search runner store task device core base
check text profile judge runner store task device core base
check export judge runner task device core base
check tables text adapters judge runner store task device core base
check report text run agents profile llm exec judge search runner store task device core base
check app report tables export text adapters run agents profile llm exec judge search runner store task device core base
check cli app report tables export text adapters run agents profile llm exec judge search runner store task device core base
for folder in */; do
  grep -q "^check ${folder%/}\( \|$\)" ../tools/check_includes.sh || { echo "src/$folder has no row in tools/check_includes.sh"; status=1; }
done
exit $status
