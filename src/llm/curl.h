#pragma once
// libcurl, opened at run time. The table is filled once, on first use, and only read afterwards.
#include <curl/curl.h>

namespace hone::llm {

// Every function of the library that Hone calls.
// clang-format off
#define HONE_CURL_FUNCTIONS(X) \
  X(global_init) \
  X(easy_init) X(easy_setopt) X(easy_getinfo) X(easy_strerror) X(easy_cleanup) \
  X(slist_append) X(slist_free_all) \
  X(multi_init) X(multi_add_handle) X(multi_remove_handle) X(multi_perform) X(multi_poll) \
  X(multi_info_read) X(multi_cleanup)
// clang-format on

struct CurlLibrary {
#define HONE_CURL_FIELD(name) decltype(&::curl_##name) name = nullptr;
  HONE_CURL_FUNCTIONS(HONE_CURL_FIELD)
#undef HONE_CURL_FIELD
};
const CurlLibrary& curl();  // throws Error that names the package where it is missing

}  // namespace hone::llm
