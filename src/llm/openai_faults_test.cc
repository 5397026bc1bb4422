#include "llm/openai_test_support.h"

namespace hone::llm {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using OpenAiFaults = OpenAi;

TEST_F(OpenAiFaults, WaitsAsLongAsTheServerSays) {
  auto fault = fault_after(429, error_json("Rate limit reached", "requests", "rate_limit_exceeded"),
                           "Retry-After: 17\r\n");
  EXPECT_EQ(fault.kind, FaultKind::rate_limited);
  EXPECT_EQ(fault.retry_after, 17);
  EXPECT_EQ(fault.usage->in, 0);
}

TEST_F(OpenAiFaults, TellsServersThatFailFromRequestsThatAreWrong) {
  for (const int status : {500, 502, 503, 529}) {
    complains(status, "<html>bad gateway</html>");
    EXPECT_EQ(fault_of(*client()).kind, FaultKind::server) << status;
  }
  complains(400, error_json("Invalid value for 'messages'"));
  EXPECT_EQ(fault_of(*client()).kind, FaultKind::rejected);
}

TEST_F(OpenAiFaults, SaysHowToMendAKeyAndAName) {
  complains(401, error_json(std::string("Incorrect API key provided: ") + secret +
                            " or sk-proj-****abcd"));
  auto fault = fault_of(*client());
  EXPECT_EQ(fault.kind, FaultKind::rejected);
  EXPECT_THAT(fault.text,
              AllOf(HasSubstr("OPENAI_API_KEY"), Not(HasSubstr(secret)), Not(HasSubstr("abcd"))));
  complains(403, error_json("no access"));
  EXPECT_THAT(fault_of(*client()).text,
              AllOf(HasSubstr("OPENAI_API_KEY"), HasSubstr("some-model")));
  complains(404, error_json("The model `some-model` does not exist", "invalid_request_error",
                            "model_not_found"));
  EXPECT_THAT(fault_of(*client()).text,
              AllOf(HasSubstr("no model some-model"), HasSubstr("/v1/chat/completions")));
  complains(429, error_json("You exceeded your current quota", "insufficient_quota",
                            "insufficient_quota"));
  fault = fault_of(*client());
  EXPECT_EQ(fault.kind, FaultKind::rejected);
  EXPECT_THAT(fault.text, HasSubstr("credit"));
}

struct TooLong : OpenAi, ::testing::WithParamInterface<std::pair<int, std::string>> {};
TEST_P(TooLong, IsSeenInTheWordsOfTheServer) {
  complains(GetParam().first, GetParam().second);
  EXPECT_EQ(fault_of(*client()).kind, FaultKind::too_long);
  EXPECT_EQ(server.received().size(), 1u);
}
INSTANTIATE_TEST_SUITE_P(
    Servers, TooLong,
    ::testing::Values(
        std::pair(
            400,
            error_json("This model's maximum context length is 8192 tokens. However, your messages "
                       "resulted in 9000 tokens. Please reduce the length of the messages.",
                       "invalid_request_error", "context_length_exceeded")),
        std::pair(400,
                  error_json("This model's maximum context length is 4096 tokens. However, you "
                             "requested 12000 tokens (8000 in the messages, 4000 in the "
                             "completion). Please reduce the length of the messages or completion.",
                             "BadRequestError")),
        std::pair(
            400,
            error_json(
                "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
                "BadRequestError")),
        std::pair(400,
                  error_json("the request exceeds the available context size, try increasing it",
                             "exceed_context_size_error")),
        std::pair(400, error_json("input length exceeds maximum context length")),
        std::pair(413, std::string("payload too large")),
        std::pair(429, error_json("Request too large for gpt-4o on tokens per min (TPM): Limit "
                                  "30000, Requested 40000",
                                  "tokens", "rate_limit_exceeded"))));

TEST_F(OpenAiFaults, SeesARefusal) {
  answers(chunk(field("refusal", "I cannot help ")) + chunk(field("refusal", "with that.")) +
          chunk("{}", "stop") + usage_chunk() + done);
  answers(chunk(field("content", "Half")) + chunk("{}", "content_filter") + done);
  auto fault = fault_of(*client());
  EXPECT_EQ(fault.kind, FaultKind::refused);
  EXPECT_THAT(fault.text, HasSubstr("I cannot help with that."));
  EXPECT_EQ(fault.usage->out, 30);
  EXPECT_EQ(fault_of(*client()).kind, FaultKind::refused);
}

TEST_F(OpenAiFaults, SeesAnEmptyAnswer) {
  answers(chunk(field("content", "")) + chunk("{}", "length") + usage_chunk() + done);
  const auto fault = fault_of(*client());
  EXPECT_EQ(fault.kind, FaultKind::empty);
  EXPECT_THAT(fault.text, AllOf(HasSubstr("length"), HasSubstr("max_output")));
  EXPECT_EQ(fault.usage->in, 120);
}

TEST_F(OpenAiFaults, SeesAStreamCutInTheMiddle) {
  server.then([](const Connection& connection, const Received&) {
    connection.begin_stream();
    connection.chunks(chunk(field("content", "Half an ans")), 1000);
  });
  server.then([](const Connection& connection, const Received&) {
    connection.begin_stream();
    connection.chunks(chunk(field("content", "Half")), 1000);
    connection.reset();
  });
  server.then([](const Connection& connection, const Received&) {
    connection.stream(chunk(field("content", "Half")));
  });
  for (int i = 0; i < 3; ++i) {
    const auto fault = fault_of(*client());
    EXPECT_EQ(fault.kind, FaultKind::cut_off) << fault.text;
    EXPECT_FALSE(fault.usage.has_value());
  }
}

TEST_F(OpenAiFaults, KeepsAnAnswerWhoseStreamBreaksAfterItsEnd) {
  server.then([](const Connection& connection, const Received&) {
    connection.begin_stream();
    connection.chunks(chunk(field("content", "Whole.")) + chunk("{}", "stop"), 1000);
  });
  EXPECT_EQ(reply_of(*client()).text, "Whole.");
}

TEST_F(OpenAiFaults, DoesNotWaitForAServerThatKeepsTheConnectionOpen) {
  server.then([](const Connection& connection, const Received&) {
    connection.begin_stream();
    connection.chunks(text_answer(), 1000);
    connection.wait_for_the_other_side_to_close();
  });
  EXPECT_EQ(reply_of(*client()).text, "Hello world");
}

TEST_F(OpenAiFaults, SeesWhatIsNotTheFormat) {
  answers("data: {\"choices\": [\n\n");
  answers("data: {\"choices\": [{\"delta\": {}, \"finish_reason\": 7}]}\n\n");
  complains(200, "{}}");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(fault_of(*client()).kind, FaultKind::malformed);
  server.then([](const Connection& connection, const Received&) {
    connection.send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>");
  });
  EXPECT_EQ(fault_of(*client()).kind, FaultKind::malformed);
}

TEST_F(OpenAiFaults, SeesAnErrorInsideAStream) {
  answers(chunk(field("content", "Half")) +
          "data: {\"error\": {\"message\": \"KV cache is full\", \"code\": 500}}\n\n");
  answers(chunk(field("content", "Half"), "error") + done);
  answers("data: {\"error\": {\"message\": \"slow down\", \"type\": \"rate_limit_exceeded\"}}\n\n");
  auto fault = fault_of(*client());
  EXPECT_EQ(fault.kind, FaultKind::server);
  EXPECT_THAT(fault.text, HasSubstr("KV cache is full"));
  EXPECT_EQ(fault_of(*client()).kind, FaultKind::server);
  EXPECT_EQ(fault_of(*client()).kind, FaultKind::rate_limited);
}

TEST_F(OpenAiFaults, BoundsAnAnswer) {
  server.then([](const Connection& connection, const Received&) {
    connection.stream("data: {\"x\": \"" + std::string(17 << 20, 'x') + "\"}\n\n", 1 << 20);
  });
  const auto fault = fault_of(*client());
  EXPECT_EQ(fault.kind, FaultKind::malformed);
  EXPECT_THAT(fault.text, HasSubstr("16 MiB"));
}

TEST_F(OpenAiFaults, SaysWhenNobodyListens) {
  const auto asked = client();
  server.stop();
  const auto fault = fault_of(*asked);
  EXPECT_EQ(fault.kind, FaultKind::unreachable);
  EXPECT_THAT(fault.text, HasSubstr("is the server running"));
  EXPECT_EQ(fault.usage->in, 0);  // nothing was sent, so nothing is paid
}

TEST_F(OpenAiFaults, GivesUpOnAServerThatSaysNothing) {
  server.then([](const Connection& connection, const Received&) {
    connection.begin_stream();
    connection.wait_for_the_other_side_to_close();
  });
  for (const char* limit : {"?idle=0.05", "?timeout=0.05"})
    EXPECT_EQ(fault_of(*client(limit)).kind, FaultKind::timed_out);
}

TEST_F(OpenAiFaults, StopsWhenCancelled) {
  std::promise<void> asked;
  server.then([&](const Connection& connection, const Received&) {
    connection.begin_stream();
    connection.chunks(chunk(field("content", "Half")), 1000);
    asked.set_value();
    connection.wait_for_the_other_side_to_close();
  });
  Cancel cancel(false);
  const auto model = client();
  auto result = std::async(std::launch::async, [&] { return model->ask(question(), cancel); });
  asked.get_future().wait();
  cancel = true;
  const auto ended = result.get();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().kind, FaultKind::cancelled);
}

TEST_F(OpenAiFaults, DoesNotCarryAKeyToWhereItIsSentOn) {
  TestServer elsewhere;
  elsewhere.then(
      [](const Connection& connection, const Received&) { connection.stream(text_answer()); });
  EXPECT_EQ(fault_after(307, "", "Location: " + elsewhere.url() + "/v1/chat/completions\r\n").kind,
            FaultKind::rejected);
  EXPECT_TRUE(elsewhere.received().empty());
}

}  // namespace
}  // namespace hone::llm
