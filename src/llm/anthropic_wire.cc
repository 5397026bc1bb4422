// Anthropic's messages.
#include <nlohmann/json.hpp>

#include "llm/prompt.h"
#include "llm/wire_json.h"

namespace hone::llm {
namespace {

using nlohmann::json;

constexpr const char* version = "2023-06-01";  // of the wire format; the only one there is

std::vector<std::string> headers(const Endpoint& endpoint) {
  std::vector<std::string> lines = {"Content-Type: application/json", "Accept: text/event-stream",
                                    std::string("anthropic-version: ") + version};
  if (!endpoint.key.empty()) lines.push_back("x-api-key: " + endpoint.key);
  return lines;
}

// A budget in tokens, or "adaptive" and its like.
json thinking(const json& option) {
  if (option.is_number()) return {{"type", "enabled"}, {"budget_tokens", option}};
  return {{"type", option}};
}

void add_options(json& body, const Endpoint& endpoint, const Quirks& quirks) {
  for (const auto& [name, text] : endpoint.options) {
    if (quirks.dropped.contains(name)) continue;
    const auto value = json::parse(text);
    if (name == "thinking")
      body["thinking"] = thinking(value);
    else if (name == "effort")
      body["output_config"]["effort"] = value;
    else
      body[name] = value;
  }
}

void add_tool(json& body, std::string& text, const ToolDefinition& tool, const Quirks& quirks) {
  if (quirks.dropped.contains("tools")) {
    text += "\n" + shape_in_words(tool);
    return;
  }
  body["tools"] = {{{"name", tool.name},
                    {"description", tool.description},
                    {"input_schema", json::parse(tool.schema, nullptr, false)}}};
  // A model that is told to think may not be forced to call.
  if (quirks.dropped.contains("tool_choice") || body.contains("thinking"))
    text += "\nAnswer by calling the tool " + tool.name + ".\n";
  else
    body["tool_choice"] = {{"type", "tool"}, {"name", tool.name}};
}

std::string body(const Endpoint& endpoint, const Request& request, const Quirks& quirks,
                 std::int64_t most_output) {
  json body = {{"model", endpoint.model}, {"stream", true}, {"max_tokens", most_output}};
  add_options(body, endpoint, quirks);
  std::string text = render(request.prompt);
  if (request.tool) add_tool(body, text, *request.tool, quirks);
  if (!request.prompt.system.empty()) {
    // The system part is the same for all questions of a role: read from the cache after the first.
    json part = {{"type", "text"}, {"text", request.prompt.system}};
    if (!quirks.dropped.contains("cache_control")) part["cache_control"] = {{"type", "ephemeral"}};
    body["system"] = json::array({part});
  }
  body["messages"] = {{{"role", "user"}, {"content", text}}};
  return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

// Counts come in two events, each with what is known by then.
void take_usage(const json& usage, Gathered& gathered) {
  if (!usage.is_object()) return;
  const auto count = [&](const char* name) -> std::optional<std::int64_t> {
    const auto found = usage.find(name);
    if (found == usage.end() || !found->is_number_integer()) return std::nullopt;
    return found->get<std::int64_t>();
  };
  if (!gathered.reply.usage) gathered.reply.usage = Usage{};
  Usage& counted = *gathered.reply.usage;
  std::int64_t plain = counted.in - counted.cached - counted.written;
  if (const auto n = count("input_tokens")) plain = *n;
  if (const auto n = count("cache_read_input_tokens")) counted.cached = *n;
  if (const auto n = count("cache_creation_input_tokens")) counted.written = *n;
  if (const auto n = count("output_tokens")) counted.out = *n;
  counted.in = plain + counted.cached + counted.written;
}

void take_block(const json& block, int index, Gathered& gathered) {
  const auto type = block.at("type").get<std::string>();
  if (type == "text") gathered.reply.text += text_of(block.value("text", json("")));
  if (type != "tool_use" || gathered.call >= 0) return;  // of several calls the first counts
  gathered.call = index;
  gathered.called = true;
  if (const auto input = block.find("input");
      input != block.end() && input->is_object() && !input->empty())
    gathered.arguments = input->dump();
}

void take_delta(const json& delta, int index, Gathered& gathered) {
  const auto type = delta.at("type").get<std::string>();
  if (type == "text_delta") gathered.reply.text += delta.at("text").get<std::string>();
  if (type == "input_json_delta" && index == gathered.call)
    gathered.arguments += delta.at("partial_json").get<std::string>();
}

void take_stop(const json& delta, Gathered& gathered) {
  if (!delta.contains("stop_reason") || delta["stop_reason"].is_null()) return;
  gathered.reply.stop = delta["stop_reason"].get<std::string>();
  gathered.ended = true;
  gathered.refused = gathered.reply.stop == "refusal";
  gathered.out_of_context = gathered.reply.stop == "model_context_window_exceeded";
  if (gathered.called && gathered.arguments.empty()) gathered.arguments = "{}";
}

void take(const std::string&, const std::string& data, Gathered& gathered) {
  const auto event = json::parse(data);
  const auto type = event.at("type").get<std::string>();
  if (type == "error") return take_error(event, gathered);
  if (type == "message_start") {
    gathered.reply.model = text_of(event.at("message").value("model", json("")));
    take_usage(event.at("message").value("usage", json()), gathered);
  }
  if (type == "content_block_start")
    take_block(event.at("content_block"), event.at("index"), gathered);
  if (type == "content_block_delta") take_delta(event.at("delta"), event.at("index"), gathered);
  if (type == "message_delta") {
    take_usage(event.value("usage", json()), gathered);
    take_stop(event.at("delta"), gathered);
  }
  if (type == "message_stop") gathered.finished = true;
}

void take_whole(const std::string& body, Gathered& gathered) {
  const auto answer = json::parse(body);
  if (answer.value("type", "") == "error") return take_error(answer, gathered);
  gathered.reply.model = text_of(answer.value("model", json("")));
  take_usage(answer.value("usage", json()), gathered);
  int index = 0;
  for (const auto& block : answer.at("content")) take_block(block, index++, gathered);
  take_stop(answer, gathered);
  gathered.finished = true;
}

}  // namespace

const Wire anthropic_wire = {"Anthropic messages", &headers, &body, &take, &take_whole};

}  // namespace hone::llm
