#pragma once
// What the tests of OpenAI's wire format share: chunks and answers as the service sends them.
#include "llm/http_test_support.h"

namespace hone::llm {

// A chunk as the service sends it; the delta as JSON.
inline std::string chunk(const std::string& delta, const std::string& finish = "") {
  return "data: " + base::json_line([&](base::Fields& f) {
           f("id", "chatcmpl-1")("object", "chat.completion.chunk")("created", 1700000000);
           f("model", "some-model-2026-01-01");
           f.list("choices", std::vector{0}, [&](int index) {
             f("index", index)("delta", base::RawJson{delta})("logprobs", base::RawJson{});
             f("finish_reason", base::or_null(finish));
           });
           f("usage", base::RawJson{});
         }) +
         "\n\n";
}
inline std::string usage_chunk() {
  return "data: "
         R"({"id":"chatcmpl-1","object":"chat.completion.chunk",)"
         R"("model":"some-model-2026-01-01","choices":[],"usage":{"prompt_tokens":120,)"
         R"("completion_tokens":30,"total_tokens":150,)"
         R"("prompt_tokens_details":{"cached_tokens":100}}})"
         "\n\n";
}
inline const std::string done = "data: [DONE]\n\n";
inline std::string text_answer(const std::string& text = "Hello world") {
  return chunk(R"({"role":"assistant","content":""})") +
         chunk(field("content", text.substr(0, 5))) + chunk(field("content", text.substr(5))) +
         chunk("{}", "stop") + usage_chunk() + done;
}
inline std::string call_answer(const std::string& first, const std::string& second) {
  const auto piece = [](const std::string& arguments) {
    return R"({"tool_calls":[{"index":0,"function":)" + field("arguments", arguments) + "}]}";
  };
  return chunk(R"({"role":"assistant","content":null})") +
         chunk(R"({"tool_calls":[{"index":0,"id":"call_1","type":"function",)"
               R"("function":{"name":"select","arguments":""}}]})") +
         chunk(piece(first)) + chunk(piece(second)) + chunk("{}", "tool_calls") + usage_chunk() +
         done;
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
