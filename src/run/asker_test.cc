#include "run/asker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "store/candidates.h"
#include "store/test_support.h"

namespace hone::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Answers each step as the test says.
class Scripted : public llm::LlmClient {
 public:
  base::Result<llm::Reply, llm::Fault> ask(const llm::Request& request,
                                           const llm::Cancel&) override {
    const std::lock_guard lock(mutex);
    asked.push_back(request.step);
    prompts[request.step] = llm::render(request.prompt);
    if (answers.contains(request.step)) return llm::Reply{.text = answers[request.step]};
    return base::Failure{llm::Fault{llm::FaultKind::refused, "I would rather not.", {}, {}}};
  }
  std::string name() const override { return "scripted"; }
  std::string price_name() const override { return ""; }

  std::mutex mutex;
  std::map<std::string, std::string> answers, prompts;
  std::vector<std::string> asked;
};

struct AskerTest : testing::Test {
  store::testing::Fixture f;
  SharedArchive shared{f.archive};
  std::string id = begin();
  std::atomic<bool> cancelled{false};
  Ledger ledger{shared, id, {}, cancelled};
  std::shared_ptr<Scripted> model = std::make_shared<Scripted>();
  RoleModels models{{"writer", {model, std::nullopt}}};
  EventQueue events;
  std::vector<Answer> answers;
  std::unique_ptr<Asker> asker = std::make_unique<Asker>(
      ledger, models, events, [](const std::string&, const std::string&) {},
      [](const std::string&, const std::string&) {});

  std::string begin() {
    store::record_task(f.archive, store::testing::a_task());
    return store::begin_run(
        f.archive, {.task = store::testing::a_task().hash, .device = "d", .settings = "{}"});
  }
  static Question question(int turns) {
    Question question{.asker = "writer 1", .turns = turns};
    question.request.role = "writer";
    question.request.prompt.sections = {{"Task", "Write a kernel.", 0}};
    question.step = [](int turn) { return "step/try-" + std::to_string(turn); };
    question.complaint = [](const llm::Reply& reply) {
      return reply.text == "good" ? std::string() : "'" + reply.text + "' is no kernel.";
    };
    return question;
  }
  void ask(int turns) {
    const auto before = answers.size();
    asker->ask(question(turns), [this](Answer answer) { answers.push_back(std::move(answer)); });
    while (answers.size() == before) events.run(std::chrono::milliseconds(20));
  }
};

TEST_F(AskerTest, AsksAgainWithWhatWasWrongUntilAnAnswerCanBeUsed) {
  model->answers = {{"step/try-1", "bad"}, {"step/try-2", "good"}};
  ask(3);
  ASSERT_TRUE(answers[0].reply);
  EXPECT_EQ(answers[0].reply->text, "good");
  EXPECT_THAT(answers[0].complaints, ElementsAre("'bad' is no kernel."));
  EXPECT_THAT(model->prompts["step/try-2"], HasSubstr("'bad' is no kernel."));
  EXPECT_EQ(answers[0].cost.calls, 2);
  EXPECT_EQ(asker->in_flight(), 0);
}

TEST_F(AskerTest, GivesUpAfterItsTurns) {
  model->answers = {{"step/try-1", "bad"}, {"step/try-2", "worse"}};
  ask(2);
  EXPECT_THAT(answers[0].complaints, testing::SizeIs(2));
  EXPECT_THAT(model->asked, ElementsAre("step/try-1", "step/try-2"));
}

TEST_F(AskerTest, AsksNothingThatWasAnsweredBefore) {
  model->answers = {{"step/try-1", "bad"}, {"step/try-2", "good"}};
  ask(3);
  ask(3);
  EXPECT_EQ(answers[1].reply->text, "good");
  EXPECT_THAT(model->asked, testing::SizeIs(2)) << "each turn was taken from the archive";
}

TEST_F(AskerTest, HandsOverAFault) {
  ask(3);
  ASSERT_FALSE(answers[0].reply);
  EXPECT_EQ(answers[0].reply.error().kind, llm::FaultKind::refused);
  EXPECT_THAT(answers[0].complaints, IsEmpty());
}

}  // namespace
}  // namespace hone::run
