#include "llm/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "llm/client.h"

namespace hone::llm {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Answers with the step, and with bytes that are not UTF-8 where it is told to.
class Echo : public LlmClient {
 public:
  base::Result<Reply, Fault> ask(const Request& request, const Cancel&) override {
    if (request.step == "fault") return base::Failure{Fault{FaultKind::server, "no", {}, {}}};
    Reply reply;
    reply.text = "answer to " + request.step + "\n\"quoted\" \xff";
    reply.arguments = R"({"basis":1})";
    reply.usage = Usage{100, 20, 60, 5};
    reply.model = "echo-1";
    reply.stop = "end_turn";
    reply.seconds = 1.5;
    return reply;
  }
  std::string name() const override { return "echo"; }
  std::string price_name() const override { return "host/echo"; }
  std::optional<std::int64_t> max_output() const override { return 77; }
};

Request question_of(const std::string& role, const std::string& step,
                    const std::string& text = "text") {
  Request request;
  request.role = role;
  request.step = step;
  request.prompt.sections = {{"T", text, 0}};
  return request;
}

struct Recording : ::testing::Test {
  base::TemporaryFolder folder{"hone-record-test"};
  std::filesystem::path file = folder.path() / "answers.jsonl";

  void record(const std::vector<Request>& requests) {
    RecordClient client(file, std::make_shared<Echo>());
    for (const auto& request : requests) (void)client.ask(request, Cancel(false));
  }
  Fault fault_of(LlmClient& client, const Request& request) {
    auto result = client.ask(request, Cancel(false));
    EXPECT_FALSE(result.ok());
    return result.ok() ? Fault{} : result.error();
  }
  std::string text_of(LlmClient& client, const Request& request) {
    auto result = client.ask(request, Cancel(false));
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().text);
    return result.ok() ? result->text.substr(0, result->text.find('\n')) : "";
  }
};

TEST_F(Recording, TellsItsAnswersInOrderWithTheNodesThatCameOfThem) {
  Request written = question_of("writer", "g1/w2");
  written.node = 12;
  record({question_of("designer", "g1/d"), written, question_of("writer", "fault"),
          question_of("writer", "g1/w1")});
  const auto answers = ReplayClient(file, Matching::by_role).recorded();
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_EQ(answers[0].role, "designer");
  EXPECT_EQ(answers[0].node, 0);
  EXPECT_EQ(answers[1].step, "g1/w2");
  EXPECT_EQ(answers[1].node, 12);
  EXPECT_EQ(answers[2].step, "g1/w1");
  EXPECT_EQ(answers[2].node, 0) << "as an earlier hone recorded it";
  EXPECT_TRUE(Echo().recorded().empty()) << "it is really asked";
}

TEST_F(Recording, KeepsAllOfAnAnswer) {
  record({question_of("writer", "g1/w1")});
  ReplayClient client(file, Matching::strict);
  const auto reply = client.ask(question_of("writer", "g1/w1"), Cancel(false));
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply->text, "answer to g1/w1\n\"quoted\" \xef\xbf\xbd");
  EXPECT_EQ(reply->arguments, R"({"basis":1})");
  EXPECT_EQ(reply->usage->in, 100);
  EXPECT_EQ(reply->usage->out, 20);
  EXPECT_EQ(reply->usage->cached, 60);
  EXPECT_EQ(reply->usage->written, 5);
  EXPECT_EQ(reply->model, "echo-1");
  EXPECT_EQ(reply->stop, "end_turn");
  EXPECT_EQ(reply->seconds, 1.5);
  EXPECT_EQ(client.price_name(), "");
}

TEST_F(Recording, PassesOnWhatTheAskedClientIs) {
  RecordClient client(file, std::make_shared<Echo>());
  EXPECT_EQ(client.price_name(), "host/echo");
  EXPECT_EQ(client.max_output(), 77);
  EXPECT_EQ(client.name(), "record:" + file.string() + ",echo");
}

TEST_F(Recording, DoesNotKeepFaults) {
  record({question_of("writer", "fault")});
  EXPECT_EQ(base::read_file(file), "");
}

TEST_F(Recording, KeepsWholeLinesFromManyThreads) {
  RecordClient client(file, std::make_shared<Echo>());
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i)
        (void)client.ask(question_of("writer", std::to_string(t) + "/" + std::to_string(i)),
                         Cancel(false));
    });
  for (auto& thread : threads) thread.join();
  ReplayClient replay(file, Matching::strict);
  for (int t = 0; t < 8; ++t)
    for (int i = 0; i < 10; ++i)
      text_of(replay, question_of("writer", std::to_string(t) + "/" + std::to_string(i)));
}

TEST_F(Recording, GoesOnBehindALineThatACrashTore) {
  record({question_of("writer", "a")});
  std::ofstream(file, std::ios::app) << R"({"role":"wri)";
  EXPECT_EQ(
      text_of(*std::make_shared<ReplayClient>(file, Matching::by_role), question_of("writer", "a")),
      "answer to a");
  record({question_of("writer", "b")});
  ReplayClient client(file, Matching::strict);
  EXPECT_EQ(text_of(client, question_of("writer", "a")), "answer to a");
  EXPECT_EQ(text_of(client, question_of("writer", "b")), "answer to b");
}

TEST_F(Recording, IsReplayedByStepFirstAndThenByRoleInOrder) {
  record({question_of("writer", "w1"), question_of("selector", "s1"), question_of("writer", "w2"),
          question_of("writer", "w3")});
  ReplayClient client(file, Matching::by_role);
  EXPECT_EQ(text_of(client, question_of("writer", "w2", "another prompt")), "answer to w2");
  EXPECT_EQ(text_of(client, question_of("writer", "unknown")), "answer to w1");
  EXPECT_EQ(text_of(client, question_of("writer", "unknown too")), "answer to w3");
  EXPECT_EQ(text_of(client, question_of("selector", "s1")), "answer to s1");
  const auto fault = fault_of(client, question_of("writer", "unknown as well"));
  EXPECT_EQ(fault.kind, FaultKind::exhausted);
  EXPECT_THAT(fault.text, HasSubstr("writer"));
}

TEST_F(Recording, GivesTheSameStepTheSameAnswerAgain) {
  record({question_of("writer", "w1"), question_of("writer", "w2")});
  ReplayClient client(file, Matching::by_role);
  EXPECT_EQ(text_of(client, question_of("writer", "w1")), "answer to w1");
  EXPECT_EQ(text_of(client, question_of("writer", "w1")), "answer to w1");
}

TEST_F(Recording, StrictlyReplayedSaysWhatDiffers) {
  record({question_of("writer", "w1", "old text")});
  ReplayClient client(file, Matching::strict);
  auto fault = fault_of(client, question_of("writer", "w1", "new text"));
  EXPECT_EQ(fault.kind, FaultKind::rejected);
  EXPECT_THAT(fault.text,
              AllOf(HasSubstr("the prompt of step w1 differs"),
                    HasSubstr(hash_of(question_of("", "", "new text").prompt).substr(0, 12))));
  fault = fault_of(client, question_of("writer", "w9", "old text"));
  EXPECT_EQ(fault.kind, FaultKind::rejected);
  EXPECT_THAT(fault.text, HasSubstr("step w9"));
  EXPECT_THAT(fault_of(client, question_of("designer", "w1", "old text")).text,
              HasSubstr("the role of step w1 differs"));
}

TEST_F(Recording, NamesTheLineThatIsNoAnswer) {
  record({question_of("writer", "a")});
  std::ofstream(file, std::ios::app) << "{\"role\":7}\n";
  try {
    ReplayClient client(file, Matching::by_role);
    FAIL() << "no Error";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.code(), base::ExitCode::bad_input);
    EXPECT_THAT(error.what(), HasSubstr("answers.jsonl:2:"));
  }
}

}  // namespace
}  // namespace hone::llm
