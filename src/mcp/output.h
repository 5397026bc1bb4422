#pragma once
// What a server says: whole lines on one stream, from any thread. And one request that is being
// worked on: once it is cancelled, nothing more is said of it.
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "app/sink.h"
#include "mcp/messages.h"

namespace hone::mcp {

class Output {
 public:
  explicit Output(int fd) : fd_(fd) {}
  void put(const std::string& line);  // a reader that is gone is no mistake

 private:
  const int fd_;
  std::mutex mutex_;
};

// A request at work. Its answer and its progress are put by one thread; it is cancelled by another.
class Request {
 public:
  Request(Output& output, Message message) : output_(output), message_(std::move(message)) {}

  const Message& message() const { return message_; }
  bool modern() const { return message_.version.has_value(); }
  void cancel();  // too late once it is answered
  bool over();    // answered
  const std::atomic<bool>& cancelled() const { return cancelled_; }

  void answer(const base::Description& result, bool cached = false);
  void refuse(Fault fault);
  // Where the client asked for progress; at most ten times a second.
  void tell(const app::Step& step);
  void heartbeat();  // when nothing was told for some seconds: clients have time limits

 private:
  void put_progress(const std::string& text, std::optional<double> seconds_left);

  using Clock = std::chrono::steady_clock;
  Output& output_;
  const Message message_;
  std::atomic<bool> cancelled_{false};
  const Clock::time_point began_ = Clock::now();
  std::mutex mutex_;  // of the rest
  Clock::time_point told_{};
  std::string last_;
  bool over_ = false;
};

}  // namespace hone::mcp
