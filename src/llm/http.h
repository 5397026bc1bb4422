#pragma once
// One POST over libcurl, its answer handed on while it arrives. The library is opened when first
// needed: Hone builds with the headers only and starts on machines without it. Each call has
// handles of its own; safe from many threads.
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::llm {

struct HttpTimes {
  std::chrono::milliseconds connect{20'000};
  // Models that think say nothing for minutes, and a local server reads a long prompt for as long.
  std::chrono::milliseconds idle{600'000};
  std::chrono::milliseconds total{3'600'000};
};

struct HttpPost {
  std::string url;
  std::vector<std::string>
      headers;  // "name: value"; the key is one of them, so they are never shown
  std::string body;
  HttpTimes times;
  bool through_proxy = true;
};

struct HttpEnd {
  enum class Why {
    done,
    unreachable,  // no connection, or it broke before any answer
    untrusted,    // the certificate does not prove which server answers
    timed_out,
    cut_off,  // broke in the middle of the answer
    too_big,
    garbled,   // not HTTP
    unusable,  // the request could not even be made
    cancelled
  } why = Why::done;
  std::string text;   // what libcurl says of a failure
  bool sent = false;  // whether any of the request left this machine
  long status = 0;
  std::string body;                   // of an answer that is an error or is not streamed
  std::optional<double> retry_after;  // seconds
};

// Throws Error that names the package where libcurl is missing.
void need_http();

// `take` gets the parts of a streamed answer with a good status; false: that was all that is
// wanted. Needs libcurl.
HttpEnd post(const HttpPost& request, const std::function<bool(std::string_view)>& take,
             const std::atomic<bool>& cancel);

// "120", or a date as in "Wed, 21 Oct 2026 07:28:00 GMT", as seconds from now.
std::optional<double> seconds_until(std::string_view retry_after, std::time_t now);

}  // namespace hone::llm
