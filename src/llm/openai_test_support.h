#pragma once
// What the tests of OpenAI's wire format share: chunks and answers as the service sends them.
#include "llm/http_test_support.h"

namespace hone::llm {

// A chunk as the service sends it.
inline std::string chunk(const nlohmann::json& delta, const nlohmann::json& finish = nullptr) {
  return "data: " +
         nlohmann::json{
             {"id", "chatcmpl-1"},
             {"object", "chat.completion.chunk"},
             {"created", 1700000000},
             {"model", "some-model-2026-01-01"},
             {"choices",
              {{{"index", 0}, {"delta", delta}, {"logprobs", nullptr}, {"finish_reason", finish}}}},
             {"usage", nullptr}}
             .dump() +
         "\n\n";
}
inline std::string usage_chunk() {
  return "data: " +
         nlohmann::json{{"id", "chatcmpl-1"},
                        {"object", "chat.completion.chunk"},
                        {"model", "some-model-2026-01-01"},
                        {"choices", nlohmann::json::array()},
                        {"usage",
                         {{"prompt_tokens", 120},
                          {"completion_tokens", 30},
                          {"total_tokens", 150},
                          {"prompt_tokens_details", {{"cached_tokens", 100}}}}}}
             .dump() +
         "\n\n";
}
inline const std::string done = "data: [DONE]\n\n";
inline std::string text_answer(const std::string& text = "Hello world") {
  return chunk({{"role", "assistant"}, {"content", ""}}) + chunk({{"content", text.substr(0, 5)}}) +
         chunk({{"content", text.substr(5)}}) + chunk(nlohmann::json::object(), "stop") +
         usage_chunk() + done;
}
inline std::string call_answer(const std::string& first, const std::string& second) {
  const auto piece = [](const nlohmann::json& function) {
    return nlohmann::json{{"tool_calls", {{{"index", 0}, {"function", function}}}}};
  };
  nlohmann::json opening = piece({{"name", "select"}, {"arguments", ""}});
  opening["tool_calls"][0]["id"] = "call_1";
  opening["tool_calls"][0]["type"] = "function";
  return chunk({{"role", "assistant"}, {"content", nullptr}}) + chunk(opening) +
         chunk(piece({{"arguments", first}})) + chunk(piece({{"arguments", second}})) +
         chunk(nlohmann::json::object(), "tool_calls") + usage_chunk() + done;
}

struct OpenAi : WithServer {
  std::string scheme() const override { return "openai"; }
  void answers(const std::string& events) {
    server.then([=](const Connection& connection, const Received&) { connection.stream(events); });
  }
  void complains(int status, const std::string& body) {
    server.then(
        [=](const Connection& connection, const Received&) { connection.status(status, body); });
  }
};

}  // namespace hone::llm
