#include "llm/curl.h"

#include <dlfcn.h>

#include "base/error.h"

namespace hone::llm {
namespace {

constexpr const char* advice =
    "models behind a network are asked through it: install the package libcurl4 (Debian, Ubuntu) "
    "or libcurl (Fedora), or use exec: or mailbox:";

CurlLibrary open_library() {
  CurlLibrary library;
  void* handle = ::dlopen("libcurl.so.4",
                          RTLD_NOW | RTLD_LOCAL);  // never closed: calls may be under way at exit
  if (handle == nullptr)
    base::fail(base::ExitCode::environment, "libcurl.so.4 is not installed; {}", advice);
#define HONE_CURL_LOOK_UP(name)                                                            \
  library.name = reinterpret_cast<decltype(library.name)>(::dlsym(handle, "curl_" #name)); \
  if (library.name == nullptr)                                                             \
    base::fail(base::ExitCode::environment,                                                \
               "libcurl.so.4 is too old: it has no curl_" #name "; {}", advice);
  HONE_CURL_FUNCTIONS(HONE_CURL_LOOK_UP)
#undef HONE_CURL_LOOK_UP
  if (library.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    base::fail(base::ExitCode::environment, "libcurl.so.4 cannot be set up; {}", advice);
  return library;
}

}  // namespace

const CurlLibrary& curl() {
  static const CurlLibrary library = open_library();
  return library;
}

}  // namespace hone::llm
