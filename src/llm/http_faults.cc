#include "llm/http_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hone::llm {
namespace {

constexpr std::size_t longest_shown = 400;  // of a server's own words

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

template <std::size_t N>
bool has_any(const std::string& text, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return has(text, part); });
}

// Everything that an error says, for looking into.
std::string words_of(const WireError& error) {
  return lower(error.message.substr(0, 2000) + " " + error.type + " " + error.code);
}

// How servers say that a prompt is too long: OpenAI; vLLM; llama.cpp; Ollama and LM Studio;
// Anthropic; Google; Mistral.
constexpr std::array<std::string_view, 14> too_long_words = {"context_length_exceeded",
                                                             "maximum context length",
                                                             "maximum model length",
                                                             "exceed_context_size",
                                                             "available context size",
                                                             "context length",
                                                             "context window",
                                                             "context limit",
                                                             "prompt is too long",
                                                             "request_too_large",
                                                             "input token count",
                                                             "input is too long",
                                                             "reduce the length of the messages",
                                                             "too large for model"};
constexpr std::array<std::string_view, 4> no_money_words = {"insufficient_quota", "credit balance",
                                                            "billing", "insufficient balance"};
constexpr std::array<std::string_view, 3> refusal_words = {"content_policy_violation",
                                                           "invalid_prompt", "content_filter"};

struct TypeRow {
  std::string_view type;
  long status;
};
// Errors inside a stream have a type and no status.
constexpr std::array type_rows = {
    TypeRow{"rate_limit", 429},      TypeRow{"overloaded", 529}, TypeRow{"authentication", 401},
    TypeRow{"permission", 403},      TypeRow{"not_found", 404},  TypeRow{"request_too_large", 413},
    TypeRow{"invalid_request", 400}, TypeRow{"timeout", 504},    TypeRow{"billing", 402},
    TypeRow{"badrequest", 400},
};

std::string key_advice(const Endpoint& endpoint) {
  if (endpoint.key.empty())
    return fmt::format(
        "{} asks for a key: set {} (over plain http it is sent to another machine only where the "
        "address comes from the environment too)",
        endpoint.host, endpoint.key_variable);
  return fmt::format("{} does not accept the key in {}: set it to a valid one", endpoint.host,
                     endpoint.key_variable);
}

Fault rejected(std::string text) {
  return Fault{FaultKind::rejected, std::move(text), {}, Usage{}};
}

bool is_too_long(long status, const std::string& words) {
  if (status == 413) return true;
  if (status == 429)
    return has(words,
               "request too large");  // larger than all tokens of a minute: waiting is in vain
  return (status == 400 || status == 422 || status == 500) && has_any(words, too_long_words);
}

}  // namespace

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string shown(std::string text, const Endpoint& endpoint) {
  for (std::size_t at;
       !endpoint.key.empty() && (at = text.find(endpoint.key)) != std::string::npos;)
    text.replace(at, endpoint.key.size(), "[key]");
  for (std::size_t at = 0;
       (at = text.find("sk-", at)) != std::string::npos;) {  // parts of keys that servers echo
    text.replace(at, text.find_first_of(" \t\r\n\"'`.,", at) - at, "[key]");
    at += 1;
  }
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  if (text.size() > longest_shown) text = text.substr(0, longest_shown) + " ...";
  return text;
}

ServerError server_error(const HttpEnd& end) {
  ServerError found{end.status, {}, end.retry_after};
  found.error = error_in(end.body);
  if (found.error.message.empty()) found.error.message = end.body.substr(0, longest_shown);
  return found;
}

ServerError server_error(const WireError& error) {
  ServerError found{500, error, {}};
  const std::string words = lower(error.type + " " + error.code);
  for (const auto& row : type_rows)
    if (has(words, row.type)) {
      found.status = row.status;
      return found;
    }
  if (error.code.size() == 3 && error.code.find_first_not_of("0123456789") == std::string::npos)
    found.status = std::stol(error.code);
  return found;
}

Fault fault_of(const ServerError& error, const Endpoint& endpoint) {
  const std::string words = words_of(error.error);
  const std::string said =
      fmt::format("{} ({}): {}", endpoint.host, error.status, shown(error.error.message, endpoint));
  if (has_any(words, no_money_words) && error.status / 100 == 4)
    return rejected(
        fmt::format("the account behind {} has no credit left: {}", endpoint.key_variable, said));
  if (is_too_long(error.status, words))
    return Fault{FaultKind::too_long, "the prompt is too long for the model: " + said, {}, Usage{}};
  if (error.status / 100 == 4 && has_any(words, refusal_words))
    return Fault{FaultKind::refused, "the prompt was declined: " + said, {}, Usage{}};
  switch (error.status) {
    case 429:
      return Fault{FaultKind::rate_limited, "too many requests: " + said, error.retry_after,
                   Usage{}};
    case 401:
      return rejected(key_advice(endpoint) + ". " + said);
    case 402:
      return rejected(
          fmt::format("the account behind {} has no credit left: {}", endpoint.key_variable, said));
    case 403:
      return rejected(fmt::format("the key in {} may not use {} here: {}", endpoint.key_variable,
                                  endpoint.model, said));
    case 404:
      return rejected(
          fmt::format("there is no model {} at {}: check the model's name and the address. {}",
                      endpoint.model, endpoint.url, said));
    case 408:
      return Fault{FaultKind::timed_out, "the server stopped waiting: " + said, error.retry_after,
                   Usage{}};
    case 409:
    case 425:
      return Fault{FaultKind::server, "the server was not ready: " + said, error.retry_after,
                   Usage{}};
    default:
      break;
  }
  if (error.status >= 500)
    return Fault{FaultKind::server, "the server failed: " + said, error.retry_after, Usage{}};
  return rejected("the request was rejected: " + said);
}

Fault fault_of(const HttpEnd& end, const Endpoint& endpoint, const Wire& wire) {
  using Why = HttpEnd::Why;
  // Whatever left this machine may be paid for.
  const std::optional<Usage> paid = end.sent ? std::nullopt : std::optional<Usage>(Usage{});
  const std::string why = shown(end.text, endpoint);
  switch (end.why) {
    case Why::cancelled:
      return Fault{FaultKind::cancelled, "the call was stopped", {}, paid};
    case Why::timed_out:
      return Fault{
          FaultKind::timed_out,
          fmt::format("{} took too long ({}); ?idle=SECONDS and ?timeout=SECONDS allow more",
                      endpoint.host, why),
          {},
          paid};
    case Why::too_big:
      return Fault{
          FaultKind::malformed, fmt::format("{} answers without end", endpoint.host), {}, paid};
    case Why::garbled:
      return Fault{FaultKind::malformed,
                   fmt::format("{} does not speak HTTP ({})", endpoint.host, why),
                   {},
                   paid};
    case Why::unreachable:
      return Fault{
          FaultKind::unreachable,
          fmt::format(
              "there is no connection to {} ({}); is the server running, and the address right?",
              endpoint.host, why),
          {},
          paid};
    case Why::untrusted:
      return rejected(
          fmt::format("the certificate of {} cannot be verified ({}); SSL_CERT_FILE names a file "
                      "of trusted ones",
                      endpoint.host, why));
    case Why::unusable:
      return rejected(fmt::format("{} cannot be asked: {}", endpoint.url, why));
    case Why::cut_off:
    case Why::done:
      break;
  }
  return Fault{FaultKind::cut_off,
               fmt::format("the stream of {} ({}) ended in the middle{}", endpoint.host,
                           wire.format, why.empty() ? "" : ": " + why),
               {},
               paid};
}

}  // namespace hone::llm
