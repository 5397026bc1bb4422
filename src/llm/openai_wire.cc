// OpenAI's chat completions, as OpenAI, vLLM, llama.cpp, Ollama and gateways speak them.
#include <nlohmann/json.hpp>

#include "llm/prompt.h"
#include "llm/wire_json.h"

namespace hone::llm {
namespace {

using nlohmann::json;

std::vector<std::string> headers(const Endpoint& endpoint) {
  std::vector<std::string> lines = {"Content-Type: application/json", "Accept: text/event-stream"};
  if (!endpoint.key.empty()) lines.push_back("Authorization: Bearer " + endpoint.key);
  return lines;
}

// OpenAI's own models take the new name only, most other servers the old one only; either may
// complain.
const char* limit_name(const Endpoint& endpoint, const Quirks& quirks) {
  if (quirks.dropped.contains("max_tokens")) return "max_completion_tokens";
  if (quirks.dropped.contains("max_completion_tokens")) return "max_tokens";
  return endpoint.first_party ? "max_completion_tokens" : "max_tokens";
}

void add_tool(json& body, std::string& text, const ToolDefinition& tool, const Quirks& quirks) {
  if (quirks.dropped.contains("tools")) {
    text += "\n" + shape_in_words(tool);
    return;
  }
  body["tools"] = {{{"type", "function"},
                    {"function",
                     {{"name", tool.name},
                      {"description", tool.description},
                      {"parameters", json::parse(tool.schema, nullptr, false)}}}}};
  if (quirks.dropped.contains("tool_choice"))
    text += "\nAnswer by calling the tool " + tool.name + ".\n";
  else
    body["tool_choice"] = {{"type", "function"}, {"function", {{"name", tool.name}}}};
}

std::string body(const Endpoint& endpoint, const Request& request, const Quirks& quirks,
                 std::int64_t most_output) {
  json body = {{"model", endpoint.model}, {"stream", true}};
  if (!quirks.dropped.contains("stream_options"))
    body["stream_options"] = {{"include_usage", true}};
  body[limit_name(endpoint, quirks)] = most_output;
  std::string text = render(request.prompt);
  if (request.tool) add_tool(body, text, *request.tool, quirks);
  body["messages"] = json::array();
  if (!request.prompt.system.empty())
    body["messages"].push_back({{"role", "system"}, {"content", request.prompt.system}});
  body["messages"].push_back({{"role", "user"}, {"content", text}});
  for (const auto& [name, value] : endpoint.options)
    if (!quirks.dropped.contains(name)) body[name] = json::parse(value);
  return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::int64_t count_in(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

void take_usage(const json& usage, Gathered& gathered) {
  Usage counted;
  counted.in = count_in(usage, "prompt_tokens");
  counted.out = count_in(usage, "completion_tokens");
  counted.cached = count_in(usage, "prompt_cache_hit_tokens");  // DeepSeek's name
  if (const auto details = usage.find("prompt_tokens_details");
      details != usage.end() && details->is_object()) {
    counted.cached = std::max(counted.cached, count_in(*details, "cached_tokens"));
    counted.written = count_in(*details, "cache_write_tokens");
  }
  gathered.reply.usage = counted;
}

void take_calls(const json& calls, Gathered& gathered) {
  for (const auto& call : calls) {
    const int index = call.value("index", 0);
    if (gathered.call < 0) gathered.call = index;
    if (index != gathered.call) continue;  // a second call: the first one counts
    gathered.called = true;
    if (const auto function = call.find("function");
        function != call.end() && function->contains("arguments"))
      gathered.arguments += text_of((*function)["arguments"]);
  }
}

void take_content(const json& content, Gathered& gathered) {
  if (content.is_string()) gathered.reply.text += content.get<std::string>();
  if (!content.is_array()) return;
  for (const auto& part : content)
    if (part.contains("text")) gathered.reply.text += text_of(part["text"]);
}

// `piece`: a delta of a stream, or a whole message.
void take_choice(const json& choice, const json& piece, Gathered& gathered) {
  if (piece.contains("content")) take_content(piece["content"], gathered);
  if (piece.contains("refusal")) gathered.refusal += text_of(piece["refusal"]);
  if (piece.contains("tool_calls") && piece["tool_calls"].is_array())
    take_calls(piece["tool_calls"], gathered);
  if (!choice.contains("finish_reason") || choice["finish_reason"].is_null()) return;
  gathered.reply.stop = choice["finish_reason"].get<std::string>();
  if (gathered.reply.stop == "error" || gathered.reply.stop == "insufficient_system_resource") {
    gathered.error =
        WireError{"the server stopped in the middle of the answer", gathered.reply.stop, "", ""};
    gathered.finished = true;
    return;
  }
  gathered.ended = true;
  gathered.refused = gathered.reply.stop == "content_filter" || !gathered.refusal.empty();
}

void take_chunk(const json& chunk, const char* piece, Gathered& gathered) {
  if (chunk.contains("error") || chunk.value("object", "") == "error")
    return take_error(chunk, gathered);
  if (chunk.contains("model")) gathered.reply.model = text_of(chunk["model"]);
  if (chunk.contains("usage") && chunk["usage"].is_object()) take_usage(chunk["usage"], gathered);
  if (!chunk.contains("choices") || !chunk["choices"].is_array()) return;
  for (const auto& choice : chunk["choices"])
    if (choice.value("index", 0) == 0 && choice.contains(piece))
      take_choice(choice, choice[piece], gathered);
}

void take(const std::string&, const std::string& data, Gathered& gathered) {
  if (data == "[DONE]")
    gathered.finished = true;
  else
    take_chunk(json::parse(data), "delta", gathered);
}

void take_whole(const std::string& body, Gathered& gathered) {
  take_chunk(json::parse(body), "message", gathered);
  gathered.finished = true;
}

}  // namespace

const Wire openai_wire = {"OpenAI chat completions", &headers, &body, &take, &take_whole};

}  // namespace hone::llm
