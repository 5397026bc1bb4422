#include "llm/http_test_support.h"

namespace hone::llm {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Its data as JSON, without the type.
std::string event(const std::string& type, const std::string& data = "{}") {
  auto fields = *base::from_json<std::map<std::string, base::RawJson>>(data);
  fields["type"].text = base::json_line(type);
  return "event: " + type + "\ndata: " + base::json_line(fields) + "\n\n";
}
std::string start() {
  return event("message_start",
               R"({"message":{"id":"msg_1","type":"message","role":"assistant","content":[],)"
               R"("model":"some-model-20260101","stop_reason":null,"usage":{"input_tokens":20,)"
               R"("cache_creation_input_tokens":30,"cache_read_input_tokens":50,)"
               R"("output_tokens":1}}})") +
         event("ping");
}
std::string stop(const std::string& reason) {
  return event("message_delta", R"({"delta":{"stop_sequence":null,"stop_reason":")" + reason +
                                    R"("},"usage":{"output_tokens":42}})") +
         event("message_stop");
}
std::string block(int index, const std::string& opening, const std::vector<std::string>& deltas) {
  const std::string at = R"({"index":)" + std::to_string(index);
  std::string text = event("content_block_start", at + R"(,"content_block":)" + opening + "}");
  for (const auto& delta : deltas)
    text += event("content_block_delta", at + R"(,"delta":)" + delta + "}");
  return text + event("content_block_stop", at + "}");
}
std::string text_block(int index, const std::string& text) {
  const auto delta = [](const std::string& part) {
    return R"({"type":"text_delta","text":)" + base::json_line(part) + "}";
  };
  return block(index, R"({"type":"text","text":""})",
               {delta(text.substr(0, 3)), delta(text.substr(3))});
}
std::string thinking_block(int index) {
  return block(index, R"({"type":"thinking","thinking":""})",
               {R"({"type":"thinking_delta","thinking":"Let me see."})",
                R"({"type":"signature_delta","signature":"abc"})"});
}
std::string call_block(int index, const std::vector<std::string>& pieces) {
  std::vector<std::string> deltas;
  for (const auto& piece : pieces)
    deltas.push_back(R"({"type":"input_json_delta","partial_json":)" + base::json_line(piece) +
                     "}");
  return block(index, R"({"type":"tool_use","id":"toolu_1","name":"select","input":{}})", deltas);
}

struct Anthropic : WithServer {
  std::string scheme() const override { return "anthropic"; }
  void answers(const std::string& events, std::size_t size = 1000) {
    server.then(
        [=](const Connection& connection, const Received&) { connection.stream(events, size); });
  }
  void complains(int status, const std::string& body) {
    server.then(
        [=](const Connection& connection, const Received&) { connection.status(status, body); });
  }
};

TEST_F(Anthropic, AsksAsTheWireFormatHasIt) {
  answers(start() + text_block(0, "Hello") + stop("end_turn"));
  reply_of(*client("?temperature=0.5&top_k=40&effort=high"));
  const auto request = server.received().at(0);
  EXPECT_EQ(request.line, "POST /v1/messages HTTP/1.1");
  EXPECT_EQ(request.headers.at("x-api-key"), secret);
  EXPECT_EQ(request.headers.at("anthropic-version"), "2023-06-01");
  EXPECT_EQ(request.headers.count("authorization"), 0u);
  EXPECT_EQ(request.body.dump(),
            R"({"max_tokens":4000,"messages":[{"content":"## Task\n\nAdd two vectors.\n",)"
            R"("role":"user"}],"model":"some-model","output_config":{"effort":"high"},)"
            R"("stream":true,"system":[{"cache_control":{"type":"ephemeral"},)"
            R"("text":"You write kernels.","type":"text"}],"temperature":0.5,"top_k":40})");
}

TEST_F(Anthropic, ReadsAStreamThatIsCutAnywhere) {
  const auto events = start() + thinking_block(0) + text_block(1, "Hello world") + stop("end_turn");
  for (const std::size_t size : {1u, 5u, 64u, 100000u}) answers(events, size);
  for (int i = 0; i < 4; ++i) {
    const auto reply = reply_of(*client());
    EXPECT_EQ(reply.text, "Hello world");
    EXPECT_EQ(reply.model, "some-model-20260101");
    EXPECT_EQ(reply.stop, "end_turn");
    EXPECT_EQ(reply.usage->in, 100);
    EXPECT_EQ(reply.usage->cached, 50);
    EXPECT_EQ(reply.usage->written, 30);
    EXPECT_EQ(reply.usage->out, 42);
  }
}

TEST_F(Anthropic, AsksForAShapeAsAForcedToolCall) {
  answers(start() + text_block(0, "I choose.") + call_block(1, {"", "{\"bas", "is\": 3}"}) +
          call_block(2, {"{}"}) + stop("tool_use"));
  const auto reply = reply_of(*client(), shaped_question());
  EXPECT_EQ(reply.arguments, "{\"basis\": 3}");
  EXPECT_EQ(reply.text, "I choose.");
  const auto body = server.received().at(0).body;
  EXPECT_EQ(body["tool_choice"].dump(), R"({"name":"select","type":"tool"})");
  EXPECT_EQ(body["tools"][0]["input_schema"]["type"], "object");
}

TEST_F(Anthropic, TakesACallWithoutArguments) {
  answers(start() + call_block(0, {}) + stop("tool_use"));
  EXPECT_EQ(reply_of(*client(), shaped_question()).arguments, "{}");
}

TEST_F(Anthropic, DoesNotForceAModelThatIsToldToThink) {
  answers(start() + call_block(0, {"{}"}) + stop("tool_use"));
  reply_of(*client("?thinking=2000"), shaped_question());
  const auto body = server.received().at(0).body;
  EXPECT_EQ(body["thinking"].dump(), R"({"budget_tokens":2000,"type":"enabled"})");
  EXPECT_TRUE(body.contains("tools"));
  EXPECT_FALSE(body.contains("tool_choice"));
}

TEST_F(Anthropic, RefusesABudgetOfThoughtsThatLeavesNoRoom) {
  const auto fault = fault_of(*client("?thinking=4000"));
  EXPECT_EQ(fault.kind, FaultKind::rejected);
  EXPECT_THAT(fault.text, HasSubstr("max_output"));
  EXPECT_TRUE(server.received().empty());
}

TEST_F(Anthropic, LeavesOutWhatTheModelDoesNotTake) {
  complains(400, error_json("`temperature` is deprecated for this model."));
  complains(400, error_json("tool_choice: forced tool use is not supported for this model"));
  answers(start() + call_block(0, {"{}"}) + stop("tool_use"));
  const auto asked = client("?temperature=0.5");
  reply_of(*asked, shaped_question());
  auto body = server.received().at(2).body;
  EXPECT_FALSE(body.contains("temperature"));
  EXPECT_FALSE(body.contains("tool_choice"));
  EXPECT_TRUE(body.contains("tools"));
}

TEST_F(Anthropic, LeavesOutABudgetOfThoughtsThatTheModelDoesNotTake) {
  complains(
      400,
      error_json(
          "\"thinking.type.enabled\" is not supported for this model. Use "
          "\"thinking.type.adaptive\" and \"output_config.effort\" to control thinking behavior."));
  answers(start() + text_block(0, "Hello") + stop("end_turn"));
  reply_of(*client("?thinking=2000"));
  EXPECT_FALSE(server.received().at(1).body.contains("thinking"));
}

TEST_F(Anthropic, AsksForAShorterAnswerWhereTheModelGivesNoLonger) {
  complains(400, error_json("max_tokens: 4000 > 2048, which is the maximum allowed number of "
                            "output tokens for some-model"));
  complains(400, error_json("input length and `max_tokens` exceed context limit: 198000 + 2048 > "
                            "200000, decrease input length or `max_tokens` and try again"));
  answers(start() + text_block(0, "Hello") + stop("end_turn"));
  reply_of(*client());
  EXPECT_EQ(server.received().at(1).body["max_tokens"], 2048);
  EXPECT_EQ(server.received().at(2).body["max_tokens"], 2000);
}

TEST_F(Anthropic, SeesARefusal) {
  answers(start() + text_block(0, "I will not.") + stop("refusal"));
  const auto fault = fault_of(*client());
  EXPECT_EQ(fault.kind, FaultKind::refused);
  EXPECT_EQ(fault.usage->out, 42);
}

TEST_F(Anthropic, KeepsAnAnswerThatReachedItsLimit) {
  answers(start() + text_block(0, "As far as it goes") + stop("max_tokens"));
  const auto reply = reply_of(*client());
  EXPECT_EQ(reply.text, "As far as it goes");
  EXPECT_EQ(reply.stop, "max_tokens");
}

TEST_F(Anthropic, SeesPromptsThatAreTooLong) {
  answers(start() + text_block(0, "Half") + stop("model_context_window_exceeded"));
  complains(400, error_json("prompt is too long: 210000 tokens > 200000 maximum"));
  complains(413, error_json("Request exceeds the maximum size", "request_too_large"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(fault_of(*client()).kind, FaultKind::too_long);
}

TEST_F(Anthropic, SeesAnEmptyAnswer) {
  answers(start() + thinking_block(0) + stop("max_tokens"));
  const auto fault = fault_of(*client());
  EXPECT_EQ(fault.kind, FaultKind::empty);
  EXPECT_EQ(fault.usage->out, 42);
}

TEST_F(Anthropic, SeesServersThatAreBusy) {
  auto fault = fault_after(429, error_json("slow down", "rate_limit_error"), "retry-after: 3\r\n");
  EXPECT_EQ(fault.kind, FaultKind::rate_limited);
  EXPECT_EQ(fault.retry_after, 3);
  fault = fault_after(529, error_json("Overloaded", "overloaded_error"));
  EXPECT_EQ(fault.kind, FaultKind::server);
  answers(start() +
          event("error", R"({"error":{"type":"overloaded_error","message":"Overloaded"}})"));
  fault = fault_of(*client());
  EXPECT_EQ(fault.kind, FaultKind::server);
  EXPECT_THAT(fault.text, AllOf(HasSubstr("529"), HasSubstr("Overloaded")));
  EXPECT_FALSE(fault.usage.has_value());
}

TEST_F(Anthropic, SaysHowToMendAKeyAndAnAccount) {
  complains(401, error_json("invalid x-api-key", "authentication_error"));
  EXPECT_THAT(fault_of(*client()).text, HasSubstr("ANTHROPIC_API_KEY"));
  complains(400, error_json("Your credit balance is too low to access the Anthropic API."));
  const auto fault = fault_of(*client());
  EXPECT_EQ(fault.kind, FaultKind::rejected);
  EXPECT_THAT(fault.text, HasSubstr("no credit left"));
}

TEST_F(Anthropic, SeesAStreamCutInTheMiddleAndOneThatIsMalformed) {
  server.then([](const Connection& connection, const Received&) {
    connection.begin_stream();
    connection.chunks(start() + text_block(0, "Half"), 1000);
  });
  EXPECT_EQ(fault_of(*client()).kind, FaultKind::cut_off);
  answers("event: message_start\ndata: {\"type\": \"message_start\"\n\n");
  EXPECT_EQ(fault_of(*client()).kind, FaultKind::malformed);
}

}  // namespace
}  // namespace hone::llm
