#pragma once
// Answers kept in a file, one JSON object a line, and given again: a whole run can be shown or
// tested without a model. Both clients are asked from many threads.
#include <filesystem>
#include <mutex>
#include <vector>

#include "base/fd.h"
#include "llm/client.h"

namespace hone::llm {

// Asks another client and appends each answer, on the disk before it is used. Faults are not kept.
class RecordClient : public LlmClient {
 public:
  RecordClient(std::filesystem::path file, std::shared_ptr<LlmClient> asked);
  base::Result<Reply, Fault> ask(const Request& request, const Cancel& cancel) override;
  std::string name() const override { return "record:" + file_.string() + "," + asked_->name(); }
  std::string price_name() const override { return asked_->price_name(); }
  std::optional<std::int64_t> max_output() const override { return asked_->max_output(); }

 private:
  void append(const std::string& line);
  std::filesystem::path file_;
  std::shared_ptr<LlmClient> asked_;
  std::mutex mutex_;
  base::Fd fd_;
};

// strict: the step must have been recorded, with the same prompt. Otherwise: the answer to the same
// step, else the next one in the file that the same role gave and that was not used yet.
enum class Matching { strict, by_role };

class ReplayClient : public LlmClient {
 public:
  ReplayClient(std::filesystem::path file, Matching matching);
  base::Result<Reply, Fault> ask(const Request& request, const Cancel& cancel) override;
  std::string name() const override {
    return (matching_ == Matching::strict ? "replay-strict:" : "replay:") + file_.string();
  }
  std::string price_name() const override { return ""; }
  std::vector<RecordedAnswer> recorded() const override;

 private:
  struct Recorded {
    std::string role, step, prompt;  // prompt: its hash
    int node = 0;
    Reply reply;
    bool used = false;
  };
  base::Result<Reply, Fault> exactly(const Request& request) const;
  base::Result<Reply, Fault> nearest(const Request& request);
  Recorded parsed(const std::string& line, int number) const;

  std::filesystem::path file_;
  Matching matching_;
  std::mutex mutex_;
  std::vector<Recorded> recorded_;
};

}  // namespace hone::llm
