#pragma once
// A model behind a command: any program that reads a prompt on stdin and writes its answer to
// stdout, such as a coding agent's command line. One process for each question; HONE_ROLE and
// HONE_STEP in its environment say which it is.
#include <chrono>

#include "llm/client.h"

namespace hone::llm {

class ExecClient : public LlmClient {
 public:
  // Agents that try things out take their time; what takes longer than this hangs.
  static constexpr std::chrono::hours usual_limit{2};

  explicit ExecClient(std::string line, std::chrono::milliseconds limit = usual_limit);
  base::Result<Reply, Fault> ask(const Request& request, const Cancel& cancel) override;
  std::string name() const override { return "exec:" + line_; }
  std::string price_name() const override { return ""; }

 private:
  std::string line_;
  std::chrono::milliseconds limit_;
};

}  // namespace hone::llm
