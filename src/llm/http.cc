#include "llm/http.h"

#include <pthread.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "llm/curl.h"

namespace hone::llm {
namespace {

using Clock = std::chrono::steady_clock;
using Why = HttpEnd::Why;

constexpr int poll_ms = 50;  // how late a cancellation may be noticed
constexpr std::size_t most_streamed = std::size_t{256}
                                      << 20;  // 128 k tokens of 300 bytes of JSON each, six times
constexpr std::size_t most_kept = std::size_t{16} << 20;  // an answer that is not streamed

// TLS libraries may write to a connection that is gone; that must not end the process.
class NoSigpipe {
 public:
  NoSigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoSigpipe() {
    const timespec now{};
    if (!sigismember(&before_, SIGPIPE))
      while (sigtimedwait(&pipe_, nullptr, &now) > 0) {
      }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  sigset_t pipe_{}, before_{};
};

bool same_name(std::string_view a, std::string_view lower) {
  if (a.size() != lower.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::tolower(static_cast<unsigned char>(a[i])) != lower[i]) return false;
  return true;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

class Transfer {
 public:
  Transfer(const HttpPost& request, const std::function<bool(std::string_view)>& take)
      : request_(request), take_(take), easy_(curl().easy_init()), multi_(curl().multi_init()) {
    set_up();
    curl().multi_add_handle(multi_, easy_);
  }
  ~Transfer() {
    curl().multi_remove_handle(multi_, easy_);
    curl().easy_cleanup(easy_);
    curl().multi_cleanup(multi_);
    curl().slist_free_all(headers_);
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  HttpEnd run(const std::atomic<bool>& cancel) {
    const NoSigpipe guard;
    last_ = Clock::now();
    for (int running = 1; running != 0;) {
      curl().multi_perform(multi_, &running);
      if (running == 0) break;
      if (cancel) return ended(Why::cancelled, "stopped");
      if (Clock::now() - last_ > request_.times.idle)
        return ended(Why::timed_out, "nothing came for too long");
      curl().multi_poll(multi_, nullptr, 0, poll_ms, nullptr);
    }
    int left = 0;
    const CURLMsg* message = curl().multi_info_read(multi_, &left);
    return concluded(message == nullptr ? CURLE_FAILED_INIT : message->data.result);
  }

 private:
  template <typename T>
  void set(CURLoption option, T value) {
    curl().easy_setopt(easy_, option, value);
  }
  void set_up() {
    for (const auto& header : request_.headers)
      headers_ = curl().slist_append(headers_, header.c_str());
    headers_ =
        curl().slist_append(headers_, "Expect:");  // no question whether the body may be sent
    set(CURLOPT_URL, request_.url.c_str());
    set(CURLOPT_FOLLOWLOCATION, 0L);  // a key goes to the host that was named and to no other
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    if (const char* bundle = std::getenv("SSL_CERT_FILE"); bundle != nullptr && *bundle != '\0')
      set(CURLOPT_CAINFO, bundle);
    if (!request_.through_proxy) set(CURLOPT_PROXY, "");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request_.times.connect.count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(request_.times.total.count()));
    set(CURLOPT_HTTPHEADER, headers_);
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    set(CURLOPT_POSTFIELDS, request_.body.data());
    set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_ERRORBUFFER, error_);
  }

  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self) {
    static_cast<Transfer*>(self)->header({data, size * count});
    return size * count;
  }
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self) {
    return static_cast<Transfer*>(self)->part({data, size * count}) ? size * count : 0;
  }
  void header(std::string_view line) {
    last_ = Clock::now();
    if (line.starts_with("HTTP/")) {  // a new answer begins, after "100 Continue" or a proxy's word
      json_ = false;
      end_.retry_after.reset();
    }
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const auto name = line.substr(0, colon), value = trimmed(line.substr(colon + 1));
    if (same_name(name, "content-type")) json_ = value.starts_with("application/json");
    if (same_name(name, "retry-after")) end_.retry_after = seconds_until(value, std::time(nullptr));
  }
  bool part(std::string_view bytes) {
    last_ = Clock::now();
    received_ += bytes.size();
    curl().easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &end_.status);
    const bool streamed = end_.status / 100 == 2 && !json_;
    too_big_ = received_ > (streamed ? most_streamed : most_kept);
    if (too_big_) return false;
    if (streamed) return !(enough_ = !take_(bytes));
    end_.body.append(bytes);
    return true;
  }

  HttpEnd ended(Why why, std::string text) {
    long request_bytes = 0;
    curl().easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &end_.status);
    curl().easy_getinfo(easy_, CURLINFO_REQUEST_SIZE, &request_bytes);
    end_.sent = request_bytes > 0;
    end_.why = why;
    end_.text = std::move(text);
    return std::move(end_);
  }
  HttpEnd concluded(CURLcode code) {
    const std::string text = error_[0] != '\0' ? error_ : curl().easy_strerror(code);
    if (code == CURLE_OK || enough_) return ended(Why::done, "");
    if (too_big_) return ended(Why::too_big, "the answer is too long");
    switch (code) {
      case CURLE_OPERATION_TIMEDOUT:
        return ended(Why::timed_out, text);
      case CURLE_PEER_FAILED_VERIFICATION:
      case CURLE_SSL_CACERT_BADFILE:
        return ended(Why::untrusted, text);
      case CURLE_UNSUPPORTED_PROTOCOL:  // of the answer: "HTTP/0.9"
      case CURLE_WEIRD_SERVER_REPLY:
        return ended(Why::garbled, text);
      case CURLE_URL_MALFORMAT:
      case CURLE_FAILED_INIT:
        return ended(Why::unusable, text);
      default:
        return ended(received_ > 0 ? Why::cut_off : Why::unreachable, text);
    }
  }

  const HttpPost& request_;
  const std::function<bool(std::string_view)>& take_;
  CURL* easy_;
  CURLM* multi_;
  curl_slist* headers_ = nullptr;
  HttpEnd end_;
  std::size_t received_ = 0;
  bool json_ = false, enough_ = false, too_big_ = false;
  Clock::time_point last_{};
  char error_[CURL_ERROR_SIZE] = {};
};

}  // namespace

std::optional<double> seconds_until(std::string_view retry_after, std::time_t now) {
  const std::string text(trimmed(retry_after));
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error == std::errc{} && end == text.data() + text.size() && seconds >= 0) return seconds;
  std::tm date{};
  const char* rest = ::strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date);
  if (rest == nullptr || *rest != '\0') return std::nullopt;
  return std::max<double>(0, std::difftime(::timegm(&date), now));
}

void need_http() { curl(); }

HttpEnd post(const HttpPost& request, const std::function<bool(std::string_view)>& take,
             const std::atomic<bool>& cancel) {
  Transfer transfer(request, take);
  return transfer.run(cancel);
}

}  // namespace hone::llm
