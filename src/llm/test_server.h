#pragma once
// A small HTTP server for tests, on a port of 127.0.0.1 that the system chooses. Each connection
// carries one request and is handled on a thread of its own by the next handler of a list; the last
// one stays.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/json_probe.h"

namespace hone::llm {

struct Received {
  std::string line;                            // "POST /v1/messages HTTP/1.1"
  std::map<std::string, std::string> headers;  // names in lower case
  base::JsonProbe body;
};

class Connection {
 public:
  explicit Connection(int fd) : fd_(fd) {}
  void send(const std::string& bytes) const {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t n = ::send(fd_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (n <= 0) return;
      at += static_cast<std::size_t>(n);
    }
  }
  // As chunks of a stream, each in a packet of its own.
  void chunks(const std::string& bytes, std::size_t size) const {
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      const std::string part = bytes.substr(at, size);
      char length[24];
      std::snprintf(length, sizeof length, "%zx\r\n", part.size());
      send(length + part + "\r\n");
    }
  }
  void begin_stream() const {
    send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
  }
  void end_stream() const { send("0\r\n\r\n"); }
  void stream(const std::string& events, std::size_t size = 1000) const {
    begin_stream();
    chunks(events, size);
    end_stream();
  }
  void status(int code, const std::string& body, const std::string& headers = "") const {
    send("HTTP/1.1 " + std::to_string(code) + " Status\r\nContent-Type: application/json\r\n" +
         headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  void wait_for_the_other_side_to_close() const {
    char byte;
    while (::recv(fd_, &byte, 1, 0) > 0) {
    }
  }
  void reset() const {
    const linger now{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  }
  int fd() const { return fd_; }

 private:
  int fd_;
};

using Handler = std::function<void(const Connection&, const Received&)>;

class TestServer {
 public:
  TestServer() : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    ::listen(listener_, 64);
    socklen_t size = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept(); });
  }
  ~TestServer() { stop(); }
  void stop() {
    if (listener_ < 0) return;
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    for (auto& thread : threads_) thread.join();
    ::close(listener_);
    listener_ = -1;
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  void then(Handler handler) {
    const std::lock_guard guard(mutex_);
    handlers_.push_back(std::move(handler));
  }
  std::vector<Received> received() {
    const std::lock_guard guard(mutex_);
    return received_;
  }

 private:
  void accept() {
    while (true) {
      const int fd = ::accept(listener_, nullptr, nullptr);
      if (fd < 0) return;
      const int yes = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      threads_.emplace_back([this, fd] { serve(fd); });
    }
  }
  void serve(int fd) {
    const Connection connection(fd);
    const Received request = read(fd);
    Handler handler;
    {
      const std::lock_guard guard(mutex_);
      received_.push_back(request);
      if (!handlers_.empty()) handler = handlers_[std::min(next_++, handlers_.size() - 1)];
    }
    if (handler) handler(connection, request);
    ::close(fd);
  }
  static Received read(int fd) {
    std::string text;
    char part[1 << 16];
    std::size_t end = std::string::npos, length = 0;
    Received request;
    while (end == std::string::npos || text.size() < end + 4 + length) {
      const ssize_t n = ::recv(fd, part, sizeof part, 0);
      if (n <= 0) return request;
      text.append(part, static_cast<std::size_t>(n));
      if (end != std::string::npos || (end = text.find("\r\n\r\n")) == std::string::npos) continue;
      std::size_t at = text.find("\r\n");
      request.line = text.substr(0, at);
      while (at < end) {
        const std::size_t next = text.find("\r\n", at + 2);
        const std::string line = text.substr(at + 2, next - at - 2);
        std::string name = line.substr(0, line.find(':'));
        std::transform(name.begin(), name.end(), name.begin(), ::tolower);
        if (name.size() < line.size()) request.headers[name] = line.substr(name.size() + 2);
        at = next;
      }
      length = std::stoul(request.headers["content-length"]);
    }
    request.body = base::JsonProbe(std::string_view(text).substr(end + 4));
    return request;
  }

  int listener_;
  int port_ = 0;
  std::thread acceptor_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::vector<Handler> handlers_;
  std::vector<Received> received_;
  std::size_t next_ = 0;
};

}  // namespace hone::llm
