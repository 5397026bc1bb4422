#include "llm/openai_test_support.h"

namespace hone::llm {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(OpenAi, AsksAsTheWireFormatHasIt) {
  answers(text_answer());
  reply_of(*client("?temperature=0.5&top_p=0.9&seed=7&reasoning_effort=high"));
  const auto request = server.received().at(0);
  EXPECT_EQ(request.line, "POST /v1/chat/completions HTTP/1.1");
  EXPECT_EQ(request.headers.at("authorization"), std::string("Bearer ") + secret);
  EXPECT_EQ(request.body.dump(),
            R"({"max_tokens":4000,"messages":[{"content":"You write kernels.","role":"system"},)"
            R"({"content":"## Task\n\nAdd two vectors.\n","role":"user"}],)"
            R"("model":"some-model","reasoning_effort":"high","seed":7,"stream":true,)"
            R"("stream_options":{"include_usage":true},"temperature":0.5,"top_p":0.9})");
}

TEST_F(OpenAi, ReadsAStreamThatIsCutAnywhere) {
  for (const std::size_t size : {1u, 2u, 3u, 7u, 64u, 100000u})
    server.then([=](const Connection& connection, const Received&) {
      connection.stream(text_answer(), size);
    });
  for (int i = 0; i < 6; ++i) {
    const auto reply = reply_of(*client());
    EXPECT_EQ(reply.text, "Hello world");
    EXPECT_EQ(reply.model, "some-model-2026-01-01");
    EXPECT_EQ(reply.stop, "stop");
    EXPECT_EQ(reply.usage->in, 120);
    EXPECT_EQ(reply.usage->out, 30);
    EXPECT_EQ(reply.usage->cached, 100);
  }
}

TEST_F(OpenAi, AsksForAShapeAsAForcedToolCall) {
  answers(call_answer("{\"bas", "is\": 3}"));
  const auto reply = reply_of(*client(), shaped_question());
  EXPECT_EQ(reply.arguments, "{\"basis\": 3}");
  EXPECT_EQ(json_in(reply), "{\"basis\": 3}");
  const auto body = server.received().at(0).body;
  EXPECT_EQ(body["tool_choice"].dump(), R"({"function":{"name":"select"},"type":"function"})");
  EXPECT_EQ(body["tools"][0]["function"]["parameters"]["type"], "object");
}

TEST_F(OpenAi, KeepsACallThatWasCutShortAsText) {
  answers(call_answer("{\"basis\"", ": "));
  const auto reply = reply_of(*client(), shaped_question());
  EXPECT_EQ(reply.arguments, "");
  EXPECT_EQ(reply.text, "{\"basis\": ");
}

TEST_F(OpenAi, SwitchesTheNameOfTheLimitOnceAndRemembers) {
  complains(400, error_json("Unsupported parameter: 'max_tokens' is not supported with this model. "
                            "Use 'max_completion_tokens' instead.",
                            "invalid_request_error", "unsupported_parameter", "max_tokens"));
  answers(text_answer());
  const auto asked = client();
  reply_of(*asked);
  reply_of(*asked);
  const auto received = server.received();
  ASSERT_EQ(received.size(), 3u);
  EXPECT_TRUE(received[0].body.contains("max_tokens"));
  for (const int i : {1, 2}) {
    EXPECT_FALSE(received[static_cast<std::size_t>(i)].body.contains("max_tokens"));
    EXPECT_EQ(received[static_cast<std::size_t>(i)].body["max_completion_tokens"], 4000);
  }
}

TEST_F(OpenAi, NeverAsksWithoutALimit) {
  complains(400, error_json("Unsupported parameter: 'max_tokens'"));
  complains(400, error_json("Unsupported parameter: 'max_completion_tokens'"));
  EXPECT_EQ(fault_of(*client()).kind, FaultKind::rejected);
  EXPECT_EQ(server.received().size(), 2u);
}

TEST_F(OpenAi, LeavesOutWhatTheModelDoesNotTake) {
  complains(400, error_json("Unsupported value: 'temperature' does not support 0.5 with this "
                            "model. Only the default (1) value is supported.",
                            "invalid_request_error", "unsupported_value", "temperature"));
  complains(422, R"({"detail":"Extra inputs are not permitted: stream_options"})");
  answers(text_answer());
  const auto asked = client("?temperature=0.5&top_p=0.9");
  EXPECT_THAT(reply_of(*asked).note, AllOf(HasSubstr("temperature"), HasSubstr("stream_options")));
  EXPECT_EQ(reply_of(*asked).note, "");
  const auto received = server.received();
  ASSERT_EQ(received.size(), 4u);
  EXPECT_FALSE(received[3].body.contains("temperature"));
  EXPECT_FALSE(received[3].body.contains("stream_options"));
  EXPECT_EQ(received[3].body["top_p"], 0.9);
}

TEST_F(OpenAi, DoesNotLeaveOutAValueThatIsWrong) {
  complains(400,
            error_json("Invalid 'temperature': decimal above maximum value. Expected a value <= 2.",
                       "invalid_request_error", "decimal_above_max_value", "temperature"));
  const auto fault = fault_of(*client("?temperature=5"));
  EXPECT_EQ(fault.kind, FaultKind::rejected);
  EXPECT_THAT(fault.text, HasSubstr("Expected a value <= 2"));
  complains(400,
            error_json("Invalid value: 'hihg'. Supported values are: 'low', 'medium' and 'high'.",
                       "invalid_request_error", "invalid_value", "reasoning_effort"));
  EXPECT_EQ(fault_of(*client("?reasoning_effort=hihg")).kind, FaultKind::rejected);
}

struct NoTools : OpenAi, ::testing::WithParamInterface<std::pair<int, const char*>> {};
TEST_P(NoTools, PutsTheSchemaIntoTheTextAndRemembers) {
  complains(GetParam().first, error_json(GetParam().second));
  answers(text_answer("I choose this:\n```json\n{\"basis\": 2}\n```\n"));
  const auto asked = client("?reasoning_effort=high");
  EXPECT_EQ(json_in(reply_of(*asked, shaped_question())), "{\"basis\": 2}");
  EXPECT_EQ(json_in(reply_of(*asked, shaped_question())), "{\"basis\": 2}");
  const auto received = server.received();
  ASSERT_EQ(received.size(), 3u);
  for (const std::size_t i : {1u, 2u}) {
    EXPECT_FALSE(received[i].body.contains("tools"));
    EXPECT_FALSE(received[i].body.contains("tool_choice"));
    EXPECT_EQ(received[i].body["reasoning_effort"], "high");
    EXPECT_THAT(received[i].body["messages"][1]["content"].text(),
                AllOf(HasSubstr("Choose a basis."), HasSubstr("\"properties\"")));
  }
}
INSTANTIATE_TEST_SUITE_P(
    Servers, NoTools,
    ::testing::Values(std::pair(400,
                                "registry.ollama.ai/library/gemma:latest does not support tools"),
                      std::pair(500, "tools param requires --jinja flag"),
                      std::pair(404, "No endpoints found that support tool use."),
                      std::pair(400,
                                "Function tools with reasoning_effort are not supported for "
                                "gpt-5.6-terra in /v1/chat/completions. To use function tools, use "
                                "/v1/responses or set reasoning_effort to 'none'.")));

TEST_F(OpenAi, OffersAToolThatMayNotBeForced) {
  complains(400, error_json("this model does not support this tool_choice"));
  answers(call_answer("{", "}"));
  EXPECT_EQ(reply_of(*client(), shaped_question()).arguments, "{}");
  const auto body = server.received().at(1).body;
  EXPECT_TRUE(body.contains("tools"));
  EXPECT_FALSE(body.contains("tool_choice"));
  EXPECT_THAT(body["messages"][1]["content"].text(), HasSubstr("calling the tool select"));
}

TEST_F(OpenAi, AsksForAShorterAnswerWhereTheModelGivesNoLonger) {
  complains(400, error_json("max_tokens is too large: 4000. This model supports at most 2048 "
                            "completion tokens, whereas you provided 4000."));
  answers(text_answer());
  const auto asked = client();
  reply_of(*asked);
  reply_of(*asked);
  EXPECT_EQ(server.received().at(1).body["max_tokens"], 2048);
  EXPECT_EQ(server.received().at(2).body["max_tokens"], 2048);
}

TEST_F(OpenAi, AsksForAnAnswerThatFitsBesideThePrompt) {
  complains(400, error_json("'max_tokens' or 'max_completion_tokens' is too large: 4000. This "
                            "model's maximum context length is 4096 tokens and your request has "
                            "700 input tokens (4000 > 4096 - 700)."));
  complains(400, error_json("This model's maximum context length is 4096 tokens. However, you "
                            "requested 4096 tokens (1000 in the messages, 3396 in the completion). "
                            "Please reduce the length of the messages or completion."));
  answers(text_answer());
  reply_of(*client());
  EXPECT_EQ(server.received().at(1).body["max_tokens"], 3396);
  EXPECT_EQ(server.received().at(2).body["max_tokens"], 3096);
}

TEST_F(OpenAi, TakesAnAnswerThatIsNotStreamed) {
  complains(200, R"({"object":"chat.completion","model":"m","choices":[{"index":0,)"
                 R"("message":{"role":"assistant","content":"All at once."},)"
                 R"("finish_reason":"stop"}],)"
                 R"("usage":{"prompt_tokens":5,"completion_tokens":3}})");
  const auto reply = reply_of(*client());
  EXPECT_EQ(reply.text, "All at once.");
  EXPECT_EQ(reply.usage->out, 3);
}

TEST_F(OpenAi, LeavesOutThoughtsThatAServerMixesIn) {
  answers(text_answer("<think>\n{\"basis\": 9}\n</think>The answer"));
  EXPECT_EQ(reply_of(*client()).text, "The answer");
}

TEST_F(OpenAi, AnswersManyThreadsAtOnce) {
  server.then([](const Connection& connection, const Received& request) {
    connection.stream(text_answer("echo " + request.body["messages"][1]["content"].text()), 16);
  });
  const auto asked = client();
  std::vector<std::future<void>> threads;
  for (int i = 0; i < 16; ++i)
    threads.push_back(std::async(std::launch::async, [&, i] {
      auto request = question();
      request.prompt.sections = {{"", "number " + std::to_string(i), 0}};
      EXPECT_EQ(reply_of(*asked, request).text, "echo number " + std::to_string(i) + "\n");
    }));
  for (auto& thread : threads) thread.get();
}

}  // namespace
}  // namespace hone::llm
