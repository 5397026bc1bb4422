# Headers that most files include are parsed once, and what the records of base and core need of the standard library is
# instantiated once. Files still include what they use: the dev preset builds without this.
set(hone_common_headers <fmt/format.h> <fmt/ranges.h> <algorithm> <atomic> <chrono> <cmath> <filesystem> <functional> <map>
  <memory> <mutex> <optional> <set> <string> <thread> <variant> <vector>
  <base/diagnostic.h> <base/error.h> <base/fd.h> <base/files.h> <base/hash.h> <base/resources.h> <base/result.h>
  <core/advice.h> <core/candidate.h> <core/device_info.h> <core/evaluation.h> <core/plan.h> <core/stats.h> <core/task.h>
  <device/device.h>)

# A set of precompiled headers is an object library with an empty file: hone_headers_KIND, the common ones and HEADERS.
function(hone_header_set kind)
  cmake_parse_arguments(ARG "" "" "HEADERS;OPTIONS;LINKS" ${ARGN})
  set(empty ${CMAKE_BINARY_DIR}/headers_${kind}.cc)
  file(CONFIGURE OUTPUT ${empty} CONTENT "")
  add_library(hone_headers_${kind} OBJECT EXCLUDE_FROM_ALL ${empty})
  target_include_directories(hone_headers_${kind} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_compile_options(hone_headers_${kind} PRIVATE ${ARG_OPTIONS})
  target_link_libraries(hone_headers_${kind} PRIVATE hone_fmt hone_toml nlohmann_json::nlohmann_json ${ARG_LINKS})
  target_precompile_headers(hone_headers_${kind} PRIVATE ${hone_common_headers} ${ARG_HEADERS})
endfunction()
if(HONE_PCH)
  hone_header_set(code)
  hone_header_set(code_json HEADERS <nlohmann/json.hpp>)
  if(HONE_TESTS)
    find_package(GTest REQUIRED)
    set(hone_test_options -fPIE)  # an executable's files are compiled so, an object library's not: the same headers must serve both
    set(gtest HEADERS <gtest/gtest.h> <gmock/gmock.h> OPTIONS ${hone_test_options} LINKS GTest::gtest GTest::gmock)
    hone_header_set(test ${gtest})
    hone_header_set(test_json ${gtest} HEADERS <nlohmann/json.hpp>)
  endif()
endif()

# Where CMAKE_UNITY_BUILD is on, files are compiled several at a time, which takes half of the time. Two names that are the
# same in nameless namespaces of one folder then collide: one of them is to be more exact. Files that are alike, because
# each has the same things for another kind of device, model or task, have the same names by right, and are compiled alone.
set(hone_alike "/tool_[a-z_0-9]+\\.cc$|_wire\\.cc$|/export/[a-z]+\\.cc$|_device_test\\.cc$|/adapters/[a-z_]+\\.cc$")

# Compiles a target's sources with the headers of a kind, code or test. The JSON library costs every file that sees it half a
# second, precompiled or not (its literals make an instance of the whole parser), so only those that include it get it:
# they are an object library beside the target, because a target has one set of precompiled headers.
function(hone_sources target kind)
  set(alone ${ARGN})
  list(FILTER alone INCLUDE REGEX ${hone_alike})
  if(alone)
    set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  if(NOT HONE_PCH)
    target_sources(${target} PRIVATE ${ARGN})
    return()
  endif()
  set(plain "")
  set(json "")
  foreach(source ${ARGN})
    file(STRINGS ${source} includes REGEX "^#include <nlohmann/json.hpp>")
    if(includes)
      list(APPEND json ${source})
    else()
      list(APPEND plain ${source})
    endif()
  endforeach()
  target_sources(${target} PRIVATE ${plain})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_precompile_headers(${target} REUSE_FROM hone_headers_${kind})
  if(json)
    add_library(${target}_json OBJECT ${json})
    foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS)
      set_target_properties(${target}_json PROPERTIES ${property} $<TARGET_PROPERTY:${target},${property}>)
    endforeach()
    target_precompile_headers(${target}_json REUSE_FROM hone_headers_${kind}_json)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_json>)
  endif()
endfunction()

# A test program; what else it needs is added to it like to any target.
function(hone_test_program name)
  find_package(GTest REQUIRED)
  add_executable(${name})
  target_compile_options(${name} PRIVATE ${hone_test_options})
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gmock GTest::gtest_main)
  hone_sources(${name} test ${ARGN})
endfunction()

# One module is one folder under src/ and one static library. Tests stand beside the code, one test program per module.
function(hone_module name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  if(NOT sources)
    add_library(hone_${name} INTERFACE)
    set(scope INTERFACE)
  else()
    add_library(hone_${name} STATIC)
    hone_sources(hone_${name} code ${sources})
    set(scope PUBLIC)
  endif()
  list(TRANSFORM ARG_DEPENDS PREPEND hone_)
  target_include_directories(hone_${name} ${scope} ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(hone_${name} ${scope} ${ARG_DEPENDS} ${ARG_LINKS})
  if(HONE_TESTS AND tests)
    hone_test_program(hone_${name}_test ${tests})
    target_link_libraries(hone_${name}_test PRIVATE hone_${name})
    set_property(GLOBAL APPEND PROPERTY HONE_MODULE_TESTS ${name})
  endif()
endfunction()
