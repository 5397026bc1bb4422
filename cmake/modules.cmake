# A module is one folder under src/ and one static library, hone_NAME, with one test program,
# hone_NAME_test, of the tests that stand beside the code. DEPENDS lists every module whose headers
# it may include: tools/check_includes.sh compares the code and the diagram in docs/design.md with
# these lists. LINKS are libraries from outside.
function(hone_module name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(TRANSFORM ARG_DEPENDS PREPEND hone_)
  add_library(hone_${name} STATIC ${sources})
  target_include_directories(hone_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(hone_${name} PUBLIC ${ARG_DEPENDS} ${ARG_LINKS})
  hone_use_headers(hone_${name} code)
  if(HONE_TESTS AND tests)
    hone_test_program(hone_${name}_test ${tests})
    target_link_libraries(hone_${name}_test PRIVATE hone_${name})
    set_property(GLOBAL APPEND PROPERTY HONE_MODULE_TESTS ${name})
  endif()
endfunction()

# A test program; what else it needs is added to it as to any target.
function(hone_test_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gmock GTest::gtest_main)
  hone_use_headers(${name} test)
endfunction()

# With HONE_PCH the headers that most files include are parsed once for the code and once for the
# tests. A target can only reuse the precompiled headers of another target, so each of the two sets
# belongs to an object library with one empty file. Files still include what they use: the dev
# preset builds without precompiled headers.
set(hone_common_headers <fmt/format.h> <fmt/ranges.h> <algorithm> <atomic> <chrono> <cmath>
  <filesystem> <functional> <map> <memory> <mutex> <optional> <set> <string> <thread> <variant>
  <vector> <base/diagnostic.h> <base/error.h> <base/fd.h> <base/files.h> <base/hash.h>
  <base/resources.h> <base/result.h> <core/advice.h> <core/candidate.h> <core/device_info.h>
  <core/evaluation.h> <core/plan.h> <core/stats.h> <core/task.h> <device/device.h>)

function(hone_header_set kind)
  cmake_parse_arguments(ARG "" "" "HEADERS;LINKS" ${ARGN})
  set(empty ${CMAKE_BINARY_DIR}/headers_${kind}.cc)
  file(CONFIGURE OUTPUT ${empty} CONTENT "")
  add_library(hone_headers_${kind} OBJECT EXCLUDE_FROM_ALL ${empty})
  target_include_directories(hone_headers_${kind} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(hone_headers_${kind} PRIVATE hone_fmt hone_toml ${ARG_LINKS})
  target_precompile_headers(hone_headers_${kind} PRIVATE ${hone_common_headers} ${ARG_HEADERS})
endfunction()

function(hone_use_headers target kind)
  if(HONE_PCH)
    target_precompile_headers(${target} REUSE_FROM hone_headers_${kind})
  endif()
endfunction()

if(HONE_TESTS)
  find_package(GTest REQUIRED)
endif()
if(HONE_PCH)
  hone_header_set(code)
  if(HONE_TESTS)
    hone_header_set(test HEADERS <gtest/gtest.h> <gmock/gmock.h> LINKS GTest::gtest GTest::gmock)
  endif()
endif()
