#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "llm/client.h"
#include "llm/endpoint.h"
#include "llm/exec_client.h"
#include "llm/http_client.h"
#include "llm/mailbox_client.h"
#include "llm/record.h"

namespace hone::llm {
namespace {

using base::ExitCode;
using base::fail;

std::shared_ptr<LlmClient> recording(const std::string& rest);
std::shared_ptr<LlmClient> over_http(const Provider& provider, const std::string& rest) {
  auto endpoint = endpoint_of(provider, rest);
  need_http();  // said now, not in the middle of a run
  return std::make_shared<HttpClient>(std::move(endpoint), provider.wire);
}
std::shared_ptr<LlmClient> openai(const std::string& rest) {
  return over_http(openai_provider, rest);
}
std::shared_ptr<LlmClient> anthropic(const std::string& rest) {
  return over_http(anthropic_provider, rest);
}

// Every way to name a model: what it begins with, what users are told, and the function that makes
// a client of the rest.
struct Scheme {
  std::string_view scheme, usage, meaning;
  std::shared_ptr<LlmClient> (*make)(const std::string& rest);
};
constexpr std::array forms = {
    Scheme{"openai", "openai:MODEL[@BASE_URL]",
           "OpenAI, or any server that speaks its chat completions", &openai},
    Scheme{"anthropic", "anthropic:MODEL[@BASE_URL]",
           "Anthropic, or any server that speaks its messages", &anthropic},
    Scheme{"exec", "exec:COMMAND",
           "a program that reads the prompt on stdin and writes its answer to stdout",
           [](const std::string& rest) -> std::shared_ptr<LlmClient> {
             return std::make_shared<ExecClient>(rest);
           }},
    Scheme{"mailbox", "mailbox:DIR", "prompts and answers as files in a folder",
           [](const std::string& rest) -> std::shared_ptr<LlmClient> {
             return std::make_shared<MailboxClient>(rest);
           }},
    Scheme{"replay", "replay:FILE", "recorded answers, by step or else by role and order",
           [](const std::string& rest) -> std::shared_ptr<LlmClient> {
             return std::make_shared<ReplayClient>(rest, Matching::by_role);
           }},
    Scheme{"replay-strict", "replay-strict:FILE", "recorded answers, only to the same prompts",
           [](const std::string& rest) -> std::shared_ptr<LlmClient> {
             return std::make_shared<ReplayClient>(rest, Matching::strict);
           }},
    Scheme{"record", "record:FILE,MODEL", "any of these, with its answers appended to a file",
           &recording},
};

std::string all_forms() {
  std::string text = "a model is named by one of";
  for (const auto& form : forms) text += fmt::format("\n  {:<28} {}", form.usage, form.meaning);
  text +=
      "\nThe first two may be followed by options: openai:MODEL?temperature=0.7&max_output=32000";
  return text;
}

std::shared_ptr<LlmClient> recording(const std::string& rest) {
  const auto comma = rest.find(',');
  if (comma == std::string::npos || comma == 0)
    fail(ExitCode::usage,
         "record:{}: after the file comes a comma and the model to ask: record:FILE,MODEL\n{}",
         rest, all_forms());
  return std::make_shared<RecordClient>(rest.substr(0, comma), make_client(rest.substr(comma + 1)));
}

}  // namespace

std::shared_ptr<LlmClient> make_client(const std::string& spec) {
  const auto colon = spec.find(':');
  const std::string scheme = spec.substr(0, colon);
  for (const auto& form : forms) {
    if (form.scheme != scheme) continue;
    if (colon == std::string::npos || colon + 1 == spec.size())
      fail(ExitCode::usage, "'{}' names no model: it is {}", spec, form.usage);
    return form.make(spec.substr(colon + 1));
  }
  fail(ExitCode::usage, "'{}' names no model: {}", spec, all_forms());
}

}  // namespace hone::llm
