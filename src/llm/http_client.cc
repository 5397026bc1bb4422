#include "llm/http_client.h"

#include <fmt/format.h>

#include <chrono>

#include "base/json.h"
#include "llm/sse.h"

namespace hone::llm {
namespace {

using base::Failure;

constexpr int most_adaptations = 8;          // more than there are things to leave out at once
constexpr std::int64_t least_output = 1024;  // with less than this the prompt is too long
constexpr std::size_t longest_answer = std::size_t{16} << 20;

// Some local servers leave a model's thoughts in its answer.
std::string without_thoughts(std::string text) {
  constexpr std::string_view open = "<think>", close = "</think>";
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || text.compare(begin, open.size(), open) != 0) return text;
  const auto end = text.find(close, begin);
  return end == std::string::npos ? text : text.substr(end + close.size());
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

// What is taken of an event. Whatever does not follow the format ends the stream.
bool take(const Wire& wire, const std::string& event, const std::string& data, Gathered& gathered) {
  ++gathered.events;
  if (gathered.reply.text.size() + gathered.arguments.size() + data.size() > longest_answer) {
    gathered.malformed = fmt::format("the answer has more than {} MiB", longest_answer >> 20);
    return false;
  }
  try {
    wire.take(event, data, gathered);
  } catch (const std::exception& error) {
    gathered.malformed = fmt::format("{} in '{}'", error.what(), data.substr(0, 200));
  }
  return !gathered.finished && gathered.malformed.empty();
}

void take_whole(const Wire& wire, const std::string& body, Gathered& gathered) {
  try {
    wire.take_whole(body, gathered);
  } catch (const std::exception& error) {
    gathered.malformed = fmt::format("{} in '{}'", error.what(), body.substr(0, 200));
  }
}

bool leaves_room(const Endpoint& endpoint, std::int64_t most_output) {
  const auto thinking = endpoint.options.find("thinking");
  if (thinking == endpoint.options.end()) return true;
  const auto budget = base::from_json<double>(thinking->second);
  return !budget || *budget < static_cast<double>(most_output);
}

}  // namespace

Quirks HttpClient::quirks() const {
  const std::lock_guard guard(mutex_);
  return quirks_;
}

bool HttpClient::adapt(const ServerError& error, const std::string& body, std::int64_t& most_output,
                       std::string& note) {
  if (const auto limit = output_that_fits(error)) {
    if (limit->tokens < least_output || limit->tokens >= most_output) return false;
    most_output = limit->tokens;
    note += fmt::format("{} gives at most {} tokens here. ", endpoint_.model, limit->tokens);
    const std::lock_guard guard(mutex_);
    if (limit->of_model) quirks_.most_output = limit->tokens;
    return true;
  }
  const auto name = not_taken(error, body);
  if (!name) return false;
  const std::lock_guard guard(mutex_);
  const bool both_limits =
      (*name == "max_tokens" && quirks_.dropped.contains("max_completion_tokens")) ||
      (*name == "max_completion_tokens" && quirks_.dropped.contains("max_tokens"));
  if (both_limits) return false;  // without a limit a call could cost any amount
  if (quirks_.dropped.insert(*name).second)
    note += fmt::format("{} does not take {}: asked without it. ", endpoint_.model, *name);
  return true;
}

HttpEnd HttpClient::exchange(const std::string& body, Gathered& gathered,
                             const Cancel& cancel) const {
  HttpPost request;
  request.url = endpoint_.url;
  request.headers = wire_.headers(endpoint_);
  request.body = body;
  request.times = endpoint_.times;
  request.through_proxy = endpoint_.through_proxy;
  SseReader reader;
  const auto on_event = [&](const std::string& event, const std::string& data) {
    return take(wire_, event, data, gathered);
  };
  auto end = post(
      request, [&](std::string_view bytes) { return reader.feed(bytes, on_event); }, cancel);
  if (end.why == HttpEnd::Why::done && end.status / 100 == 2 && !end.body.empty())
    take_whole(wire_, end.body, gathered);
  return end;
}

base::Result<Reply, Fault> HttpClient::ask(const Request& request, const Cancel& cancel) {
  const auto start = std::chrono::steady_clock::now();
  std::int64_t most_output = request.max_output_tokens;
  std::string note;
  for (int adaptations = 0;; ++adaptations) {
    const Quirks known = quirks();
    if (known.most_output > 0) most_output = std::min(most_output, known.most_output);
    if (!leaves_room(endpoint_, most_output))
      return Failure{Fault{FaultKind::rejected,
                           fmt::format("{}: thinking takes all of the {} tokens of an answer: add "
                                       "&max_output=N with a larger N, or think less",
                                       endpoint_.name, most_output),
                           {},
                           Usage{}}};
    const std::string body = wire_.body(endpoint_, request, known, most_output);
    Gathered gathered;
    const HttpEnd end = exchange(body, gathered, cancel);
    std::optional<ServerError> error;
    if (end.why == HttpEnd::Why::done && end.status / 100 != 2) error = server_error(end);
    if (gathered.error) error = server_error(*gathered.error);
    if (error && gathered.reply.text.empty() && adaptations < most_adaptations &&
        adapt(*error, body, most_output, note))
      continue;
    if (error) {
      auto fault = fault_of(*error, endpoint_);
      if (gathered.error)
        fault.usage.reset();  // part of an answer may have been made, and paid for
      return Failure{std::move(fault)};
    }
    auto result = concluded(std::move(gathered), end, most_output);
    if (result) {
      result->seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      result->note = note;
    }
    return result;
  }
}

base::Result<Reply, Fault> HttpClient::concluded(Gathered gathered, const HttpEnd& end,
                                                 std::int64_t most_output) const {
  Reply& reply = gathered.reply;
  const auto fault = [&](FaultKind kind, std::string text) {
    return Failure{Fault{kind, std::move(text), {}, gathered.ended ? reply.usage : std::nullopt}};
  };
  if (!gathered.malformed.empty())
    return fault(FaultKind::malformed,
                 fmt::format("{} does not speak {}: {}", endpoint_.host, wire_.format,
                             shown(gathered.malformed, endpoint_)));
  if (gathered.events == 0 && !gathered.ended && end.why == HttpEnd::Why::done)
    return fault(FaultKind::malformed,
                 fmt::format("{} did not answer in the format of {}; is the address right?",
                             endpoint_.url, wire_.format));
  if (!gathered.ended) return Failure{fault_of(end, endpoint_, wire_)};
  if (gathered.refused)
    return fault(
        FaultKind::refused,
        fmt::format("{} declined to answer ({}): {}", endpoint_.model, reply.stop,
                    shown(gathered.refusal.empty() ? reply.text : gathered.refusal, endpoint_)));
  if (gathered.out_of_context)
    return fault(FaultKind::too_long,
                 fmt::format("prompt and answer do not fit the context of {}", endpoint_.model));
  reply.text = without_thoughts(std::move(reply.text));
  if (gathered.called) {
    if (base::is_json_object(gathered.arguments))
      reply.arguments = gathered.arguments;
    else
      reply.text += gathered.arguments;  // cut short or not JSON: the answer is kept, and its
                                         // reader will complain
  }
  if (is_blank(reply.text) && reply.arguments.empty())
    return fault(FaultKind::empty,
                 fmt::format("{} answered nothing (stopped for '{}' after at most {} tokens; "
                             "?max_output=N allows more)",
                             endpoint_.model, shown(reply.stop, endpoint_), most_output));
  if (reply.model.empty()) reply.model = endpoint_.model;
  return std::move(gathered.reply);
}

}  // namespace hone::llm
