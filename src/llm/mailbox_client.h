#pragma once
// A model behind a folder: each prompt is written as a file, and the answer is a file that a person
// or a program puts beside it, so that a person or any agent can be the model. Any number may be
// open at once. The names follow from step and prompt, so a question asked again finds the answer
// that lies there already. docs/models.md holds the protocol.
#include <filesystem>

#include "llm/client.h"

namespace hone::llm {

class MailboxClient : public LlmClient {
 public:
  explicit MailboxClient(std::filesystem::path folder);  // made where it is missing
  base::Result<Reply, Fault> ask(const Request& request, const Cancel& cancel) override;
  std::string name() const override { return "mailbox:" + folder_.string(); }
  std::string price_name() const override { return ""; }

 private:
  std::filesystem::path folder_;
};

// "g003_writer-2_try-1-1f2e3d4c": what the files of a question are called.
std::string mailbox_name(const Request& request);
// The contents, once they are whole: nothing while the file is missing, blank, or open for writing.
std::optional<std::string> whole_answer(const std::filesystem::path& path);

}  // namespace hone::llm
