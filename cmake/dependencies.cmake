# Everything Hone links with comes from the distribution. Vendor libraries (CUDA, OpenCL) are opened
# at run time and are not here.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(tomlplusplus REQUIRED)

# In a portable build these are linked from their archives, so that the binary needs nothing but the
# C library.
function(hone_pkg target package)
  pkg_check_modules(${target} REQUIRED IMPORTED_TARGET ${package})
  if(HONE_PORTABLE)
    set(archives "")
    foreach(lib ${${target}_STATIC_LIBRARIES})
      if(lib MATCHES "^(m|dl|pthread|c|rt)$")
        continue()  # parts of the C library, which stays dynamic
      endif()
      find_library(archive_${lib} NAMES lib${lib}.a)
      if(NOT archive_${lib})
        message(FATAL_ERROR "a portable build needs lib${lib}.a")
      endif()
      list(APPEND archives ${archive_${lib}})
    endforeach()
    set_target_properties(PkgConfig::${target} PROPERTIES
      INTERFACE_LINK_LIBRARIES "${archives};m;dl;pthread")
  endif()
endfunction()
if(HONE_PORTABLE)  # the distribution has no archive of fmt
  add_library(hone_fmt ALIAS fmt::fmt-header-only)
else()
  add_library(hone_fmt ALIAS fmt::fmt)
endif()
hone_pkg(CRYPTO libcrypto)
hone_pkg(SECCOMP libseccomp)
hone_pkg(SQLITE sqlite3)
hone_pkg(YAML yaml-cpp)

# toml++ compiles its parser into each file that includes it unless told otherwise; one file of ours
# holds it.
add_library(hone_toml INTERFACE)
target_link_libraries(hone_toml INTERFACE tomlplusplus::tomlplusplus)
target_compile_definitions(hone_toml INTERFACE TOML_HEADER_ONLY=0 TOML_EXCEPTIONS=0)

# Only the headers: libOpenCL is opened at run time.
add_library(hone_opencl_headers INTERFACE)
target_compile_definitions(hone_opencl_headers INTERFACE CL_TARGET_OPENCL_VERSION=120)

# Only the headers: libcurl is opened at run time, when the first model behind a network is asked.
pkg_check_modules(CURL REQUIRED libcurl)
add_library(hone_curl_headers INTERFACE)
target_include_directories(hone_curl_headers INTERFACE ${CURL_INCLUDE_DIRS})
