#include "run/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/files.h"
#include "base/hash.h"
#include "store/candidates.h"

namespace hone::run {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr double a_moment = 0.0005;  // minutes

// Answers nothing until it is cancelled; or with a fault at once.
class Silent : public llm::LlmClient {
 public:
  Silent(std::string price_name, std::optional<llm::Fault> fault)
      : price_(std::move(price_name)), fault_(fault) {}
  base::Result<llm::Reply, llm::Fault> ask(const llm::Request&,
                                           const llm::Cancel& cancel) override {
    ++asked;
    if (fault_) return base::Failure{*fault_};
    while (!cancel) std::this_thread::yield();
    return base::Failure{llm::Fault{llm::FaultKind::cancelled, "stopped", {}, llm::Usage{}}};
  }
  std::string name() const override { return "silent"; }
  std::string price_name() const override { return price_; }
  int asked = 0;

 private:
  std::string price_;
  std::optional<llm::Fault> fault_;
};

struct Books : ::testing::Test {
  base::TemporaryFolder folder{"hone-ledger-test"};
  store::Archive archive = store::Archive::open(folder.path() / "archive.db");
  SharedArchive shared{archive};
  std::string run = begin();
  std::atomic<bool> leave{false};
  std::vector<std::string> said;

  std::string begin() {
    const std::string task = base::sha256_hex("task");
    store::record_task(archive, {task, "task", "", ""});
    return store::begin_run(archive,
                            {.task = task, .device = "d", .device_name = "d", .settings = "{}"});
  }
  base::Result<llm::Reply, llm::Fault> ask(Ledger& ledger,
                                           const std::shared_ptr<llm::LlmClient>& client) {
    return reply(ledger, client).answer;
  }
  Reply reply(Ledger& ledger, const std::shared_ptr<llm::LlmClient>& client) {
    llm::Request request;
    request.role = "writer";
    request.step = "step";
    request.prompt.system = std::string(97, 'p');  // and what stands between the parts
    return ledger.ask({client, llm::Price{}}, request,
                      [this](const std::string& text) { said.push_back(text); });
  }
  // A command that worked on the run so long ago, as the archive remembers it.
  void was_at_work(store::Time from, store::Time to, const std::string& end) {
    const auto row = store::row_of_research_run(archive, run);
    const std::optional<std::string> none;
    archive.database().run("insert_research_state", row, "running", "", from);
    archive.database().run("insert_decision", row, "until " + end, to, "{}", none);
    if (!end.empty()) archive.database().run("insert_research_state", row, end, "", to);
  }
};

TEST_F(Books, WaitForNoFreeModelBeyondTheMinutes) {
  Ledger ledger(shared, run, {.minutes = a_moment}, leave);
  const auto answered = ask(ledger, std::make_shared<Silent>("", std::nullopt));
  ASSERT_FALSE(answered.ok());
  EXPECT_EQ(answered.error().kind, llm::FaultKind::over_budget);
  EXPECT_THAT(answered.error().text, HasSubstr("minutes were allowed"));
}

TEST_F(Books, EndARunWhoseFirstQuestionFindsNoConnection) {
  const auto client = std::make_shared<Silent>(
      "host/model",
      llm::Fault{llm::FaultKind::unreachable, "there is no connection", {}, llm::Usage{}});
  Ledger ledger(shared, run, {}, leave);
  const auto answered = ask(ledger, client);
  ASSERT_FALSE(answered.ok());
  EXPECT_EQ(client->asked, 1) << "a wrong address does not get better by waiting";
  EXPECT_EQ(answered.error().kind, llm::FaultKind::rejected) << "which ends the run";
  EXPECT_EQ(answered.error().text, "there is no connection");
}

TEST_F(Books, DoNotSleepBeyondTheMinutesWhateverAProviderAsksFor) {
  const auto client = std::make_shared<Silent>(
      "host/model",
      llm::Fault{llm::FaultKind::rate_limited, "429", std::optional(3600.0), llm::Usage{}});
  Ledger ledger(shared, run, {.minutes = a_moment}, leave);
  const auto answered = ask(ledger, client);
  ASSERT_FALSE(answered.ok());
  EXPECT_EQ(answered.error().kind, llm::FaultKind::over_budget);
  EXPECT_EQ(client->asked, 1);
}

TEST_F(Books, DoNotSleepOnWhereSomebodyWantsToLeave) {
  const auto client = std::make_shared<Silent>(
      "host/model",
      llm::Fault{llm::FaultKind::rate_limited, "429", std::optional(3600.0), llm::Usage{}});
  Ledger ledger(shared, run, {}, leave);
  std::thread other([&] { leave = true; });
  const auto answered = ask(ledger, client);
  other.join();
  ASSERT_FALSE(answered.ok());
  EXPECT_EQ(answered.error().kind, llm::FaultKind::cancelled);
}

TEST_F(Books, EndARunWhereNobodyAnswersThreeQuestionsInARow) {
  const auto client = std::make_shared<Silent>(
      "host/model", llm::Fault{llm::FaultKind::server, "no route", {}, {}});
  Ledger ledger(shared, run, {}, leave, {.attempts = 1});
  EXPECT_EQ(ask(ledger, client).error().kind, llm::FaultKind::server);
  EXPECT_EQ(ask(ledger, client).error().kind, llm::FaultKind::server);
  const auto third = ask(ledger, client);
  EXPECT_EQ(third.error().kind, llm::FaultKind::rejected);
  EXPECT_THAT(third.error().text, HasSubstr("no route"));
}

TEST_F(Books, EstimateTheTokensOfWhoeverDoesNotCountThem) {
  struct Program : Silent {
    Program() : Silent("", std::nullopt) {}
    base::Result<llm::Reply, llm::Fault> ask(const llm::Request&, const llm::Cancel&) override {
      return llm::Reply{.text = std::string(400, 'x')};
    }
  };
  Ledger ledger(shared, run, {}, leave);
  ASSERT_TRUE(ask(ledger, std::make_shared<Program>()).ok());
  EXPECT_EQ(ledger.spending().tokens_out, 100);
  EXPECT_EQ(ledger.spending().tokens_in, 25);
}

TEST_F(Books, TellWhatAQuestionCostAndTellItAgainOnceItIsKnown) {
  struct Priced : Silent {
    Priced() : Silent("host/model", std::nullopt) {}
    base::Result<llm::Reply, llm::Fault> ask(const llm::Request&, const llm::Cancel&) override {
      if (asked++ == 0)
        return base::Failure{llm::Fault{llm::FaultKind::malformed, "?", {}, llm::Usage{100, 10}}};
      return llm::Reply{.text = "yes", .usage = llm::Usage{100, 20}};
    }
  };
  const auto client = std::make_shared<Priced>();
  Ledger ledger(shared, run, {}, leave, {.first_pause = 0, .longest_pause = 0});
  const Reply first = reply(ledger, client);
  ASSERT_TRUE(first.answer.ok()) << first.answer.error().text;
  EXPECT_EQ(first.cost.calls, 2) << "the attempt that brought nothing was paid for too";
  EXPECT_EQ(first.cost.tokens_in, 200);
  EXPECT_EQ(first.cost.tokens_out, 30);
  const Reply again = reply(ledger, client);
  EXPECT_EQ(client->asked, 2) << "it was answered before";
  EXPECT_EQ(again.answer->text, "yes");
  EXPECT_EQ(again.cost.calls, 1);
  EXPECT_EQ(again.cost.tokens_out, 20);
}

TEST_F(Books, CountTheMinutesOfAllResumptionsAndNotThoseBetween) {
  const auto now = store::now();
  was_at_work(now - seconds(900), now - seconds(600), "stopped");
  was_at_work(now - seconds(500), now - seconds(380), "");  // killed
  const double minutes = Ledger(shared, run, {}, leave).minutes();
  EXPECT_GE(minutes, 7);
  EXPECT_LT(minutes, 7.9);
  Ledger spent(shared, run, {.minutes = 6.5}, leave);
  EXPECT_TRUE(spent.out_of_time());
  EXPECT_EQ(spent.spent(), "6.5 minutes were allowed");
  EXPECT_FALSE(Ledger(shared, run, {.minutes = 20}, leave).out_of_time());
}

}  // namespace
}  // namespace hone::run
