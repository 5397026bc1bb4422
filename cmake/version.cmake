# Writes the file with the version, commit and kind of this build. It runs at every build, because a
# commit changes without anything that CMake looks at; the file is only touched when it differs.
#   cmake -D SOURCE=.. -D OUT=.. -D VERSION=.. -D KIND=.. -P version.cmake
set(commit "")
find_program(git git)
if(git AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --short=10 HEAD
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${git} -C ${SOURCE} status --porcelain --untracked-files=no
                  OUTPUT_VARIABLE changes ERROR_QUIET)
  if(commit AND changes)
    string(APPEND commit ", changed")
  endif()
endif()
if(NOT commit)
  set(commit "unknown")
endif()
set(text "// Made by cmake/version.cmake.
#include \"cli/version.h\"

namespace hone::cli {

const char* const version = \"${VERSION}\";
const char* const commit = \"${commit}\";
const char* const build_kind = \"${KIND}\";

}  // namespace hone::cli
")
set(old "")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUT} "${text}")
endif()
