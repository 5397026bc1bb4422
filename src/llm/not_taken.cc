// Servers differ in what they take, and say so when asked. What they complain about is left out of
// the next request.
#include <algorithm>
#include <array>
#include <regex>

#include "base/json.h"

#include "llm/http_faults.h"

namespace hone::llm {
namespace {

// std::regex recurses once a character: a message is only looked at as far as a person would read
// it.
constexpr std::size_t longest_message = 1000;

// A value out of its range ("must be at most 2") is for the user to correct, and matches none of
// these.
constexpr std::array<std::string_view, 19> complaints = {
    "support",     "unknown",        "unrecognized",   "not recognized", "extra input",
    "extra field", "not permitted",  "not allowed",    "unexpected",     "deprecated",
    "requires",    "incompatible",   "not compatible", "no longer",      "may only be",
    "may not be",  "cannot be used", "not available",  "not enabled"};

// What is looked for in a message, in this order, and what is then left out. Tools come first: a
// message about them may name other things that would do as well ("tools with reasoning_effort are
// not supported").
struct Sign {
  std::string_view word, drops;
};
constexpr std::array signs = {
    Sign{"tool_choice", "tool_choice"},
    Sign{"tool choice", "tool_choice"},
    Sign{"forced tool", "tool_choice"},
    Sign{"forces tool", "tool_choice"},
    Sign{"tool", "tools"},
    Sign{"function call", "tools"},
    Sign{"stream_options", "stream_options"},
    Sign{"stream options", "stream_options"},
    Sign{"cache_control", "cache_control"},
    Sign{"temperature", "temperature"},
    Sign{"top_p", "top_p"},
    Sign{"top_k", "top_k"},
    Sign{"seed", "seed"},
    Sign{"verbosity", "verbosity"},
    Sign{"reasoning_effort", "reasoning_effort"},
    Sign{"output_config", "effort"},
    Sign{"effort", "effort"},
    Sign{"thinking", "thinking"},
    Sign{"max_completion_tokens", "max_completion_tokens"},
    Sign{"max_tokens", "max_tokens"},
};

using Sent = std::map<std::string, base::RawJson>;

bool was_sent(std::string_view name, const Sent& sent) {
  if (name == "effort") return sent.contains("output_config");
  if (name == "cache_control") return sent.contains("system");
  return sent.contains(std::string(name));
}

std::optional<std::int64_t> number(const std::string& digits) {
  if (digits.empty() || digits.size() > 9) return std::nullopt;
  return std::stoll(digits);
}

}  // namespace

std::optional<std::string> not_taken(const ServerError& error, const std::string& body) {
  // 404: a gateway without a place that takes tools; 500, 501: llama.cpp's server.
  constexpr std::array statuses = {400L, 404L, 422L, 500L, 501L};
  if (std::find(statuses.begin(), statuses.end(), error.status) == statuses.end())
    return std::nullopt;
  const std::string message = lower(error.error.message.substr(0, longest_message));
  const std::string words = message + " " + lower(error.error.param);
  const std::string kind = message + " " + lower(error.error.code);
  if (std::none_of(complaints.begin(), complaints.end(),
                   [&](std::string_view word) { return kind.find(word) != std::string::npos; }))
    return std::nullopt;
  // One of a list is wanted: a slip of the user's, or a level that the model does not have.
  const bool another_value = message.find("invalid value") != std::string::npos ||
                             message.find("supported values are") != std::string::npos;
  if (another_value) return std::nullopt;
  Sent sent;
  base::read_json(body, base::description_of(sent));
  for (const auto& sign : signs)
    if (words.find(sign.word) != std::string::npos && was_sent(sign.drops, sent))
      return std::string(sign.drops);
  return std::nullopt;
}

std::optional<OutputLimit> output_that_fits(const ServerError& error) {
  if (error.status != 400 && error.status != 422) return std::nullopt;
  const std::string message = error.error.message.substr(0, longest_message);
  std::smatch match;
  static const std::regex of_openai("at most ([0-9]+) completion tokens");
  static const std::regex of_anthropic("max_tokens: [0-9]+ > ([0-9]+)");
  for (const auto* pattern : {&of_openai, &of_anthropic})
    if (std::regex_search(message, match, *pattern))
      if (const auto most = number(match[1])) return OutputLimit{*most, true};
  static const std::regex of_vllm(
      "maximum context length is ([0-9]+) tokens[^0-9].*?([0-9]+) (input tokens|in the messages)");
  static const std::regex of_both("exceed context limit: ([0-9]+) \\+ [0-9]+ > ([0-9]+)");
  std::optional<std::int64_t> context, prompt;
  if (std::regex_search(message, match, of_vllm)) {
    context = number(match[1]);
    prompt = number(match[2]);
  } else if (std::regex_search(message, match, of_both)) {
    prompt = number(match[1]);
    context = number(match[2]);
  }
  if (!context || !prompt) return std::nullopt;
  return OutputLimit{*context - *prompt, false};
}

}  // namespace hone::llm
