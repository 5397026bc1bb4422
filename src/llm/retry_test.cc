#include "llm/retry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::llm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Answers with a list of faults, then with "ok".
class Scripted : public LlmClient {
 public:
  explicit Scripted(std::vector<Fault> faults, std::optional<std::int64_t> limit = std::nullopt)
      : faults_(std::move(faults)), limit_(limit) {}
  base::Result<Reply, Fault> ask(const Request& request, const Cancel&) override {
    asked.push_back(request);
    if (asked.size() <= faults_.size()) return base::Failure{faults_[asked.size() - 1]};
    return Reply{.text = "ok", .note = note};
  }
  std::string name() const override { return "scripted"; }
  std::string price_name() const override { return ""; }
  std::optional<std::int64_t> max_output() const override { return limit_; }
  std::vector<Request> asked;
  std::string note;

 private:
  std::vector<Fault> faults_;
  std::optional<std::int64_t> limit_;
};

Fault fault(FaultKind kind, std::optional<double> after = std::nullopt) {
  return {kind, "why", after, {}};
}

struct Retries : ::testing::Test {
  std::vector<double> waited;
  std::vector<std::string> said;
  int begun = 0, ended = 0;
  Cancel cancel{false};
  AttemptHooks hooks;
  Request request;

  void SetUp() override {
    hooks.before = [this](const Request&) -> std::optional<Fault> {
      ++begun;
      return std::nullopt;
    };
    hooks.after = [this](const Request&, const auto&) { ++ended; };
    hooks.say = [this](const std::string& text) { said.push_back(text); };
    hooks.wait = [this](double seconds, const Cancel&) { waited.push_back(seconds); };
    request.prompt.sections = {{"Task", "t", 0}, {"History", "h", 5}, {"Cards", "c", 3}};
  }
  base::Result<Reply, Fault> ask(LlmClient& client, RetryRule rule = {}) {
    return ask_with_retries(client, request, rule, hooks, cancel);
  }
};

TEST_F(Retries, TakeAnAnswerAtOnce) {
  Scripted client({});
  EXPECT_TRUE(ask(client).ok());
  EXPECT_TRUE(waited.empty());
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(ended, 1);
}

TEST_F(Retries, WaitLongerEachTimeWithJitterUpToAMost) {
  Scripted client(std::vector<Fault>(7, fault(FaultKind::server)));
  EXPECT_TRUE(ask(client, {8, 2, 20}).ok());
  ASSERT_EQ(waited.size(), 7u);
  double full = 2;
  for (const double pause : waited) {
    EXPECT_GE(pause, full / 2);
    EXPECT_LE(pause, full);
    full = std::min(full * 2, 20.0);
  }
  EXPECT_EQ(begun, 8);
  EXPECT_EQ(ended, 8);
  EXPECT_THAT(said.at(0), HasSubstr("why"));
}

TEST_F(Retries, WaitAsTheProviderSays) {
  Scripted client({fault(FaultKind::rate_limited, 300)});
  EXPECT_TRUE(ask(client).ok());
  EXPECT_GE(waited.at(0), 300);
  EXPECT_LE(waited.at(0), 301);
}

TEST_F(Retries, GiveUpAfterAllAttempts) {
  Scripted client(std::vector<Fault>(100, fault(FaultKind::timed_out)));
  const auto result = ask(client, {3, 1, 1});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, FaultKind::timed_out);
  EXPECT_EQ(client.asked.size(), 3u);
  EXPECT_EQ(waited.size(), 2u);
}

TEST_F(Retries, DoNotRepeatWhatCannotGetBetter) {
  for (const auto kind :
       {FaultKind::rejected, FaultKind::refused, FaultKind::exhausted, FaultKind::cancelled}) {
    Scripted client({fault(kind)});
    EXPECT_EQ(ask(client).error().kind, kind);
    EXPECT_EQ(client.asked.size(), 1u);
  }
}

TEST_F(Retries, DropSectionsInTheirOrderUntilThePromptFits) {
  Scripted client(std::vector<Fault>(2, fault(FaultKind::too_long)));
  EXPECT_TRUE(ask(client, {1, 1, 1}).ok());
  std::vector<std::size_t> sizes;
  for (const auto& asked : client.asked) sizes.push_back(asked.prompt.sections.size());
  EXPECT_THAT(sizes, ElementsAre(3, 2, 1));
  EXPECT_THAT(said, ElementsAre(HasSubstr("'History'"), HasSubstr("'Cards'")));
  EXPECT_TRUE(waited.empty());
}

TEST_F(Retries, GiveUpOnAPromptThatCannotBeShorter) {
  Scripted client(std::vector<Fault>(100, fault(FaultKind::too_long)));
  EXPECT_EQ(ask(client).error().kind, FaultKind::too_long);
  EXPECT_EQ(client.asked.size(), 3u);
}

TEST_F(Retries, StopWhereTheCallerForbidsAnAttempt) {
  hooks.before = [this](const Request&) -> std::optional<Fault> {
    if (++begun < 2) return std::nullopt;
    return Fault{FaultKind::over_budget, "no money", {}, {}};
  };
  Scripted client(std::vector<Fault>(5, fault(FaultKind::server)));
  EXPECT_EQ(ask(client).error().kind, FaultKind::over_budget);
  EXPECT_EQ(client.asked.size(), 1u);
  EXPECT_EQ(ended, 1);
}

TEST_F(Retries, StopWhenCancelledWhileWaiting) {
  hooks.wait = [this](double, const Cancel&) { cancel = true; };
  Scripted client(std::vector<Fault>(5, fault(FaultKind::server)));
  EXPECT_EQ(ask(client).error().kind, FaultKind::cancelled);
  EXPECT_EQ(client.asked.size(), 1u);
}

TEST_F(Retries, BookTheLimitThatTheUserSet) {
  std::int64_t booked = 0;
  hooks.before = [&](const Request& attempt) -> std::optional<Fault> {
    booked = attempt.max_output_tokens;
    return std::nullopt;
  };
  Scripted client({}, 123);
  EXPECT_TRUE(ask(client).ok());
  EXPECT_EQ(booked, 123);
  EXPECT_EQ(client.asked.at(0).max_output_tokens, 123);
}

TEST_F(Retries, PassOnWhatTheUserShouldKnow) {
  Scripted client({});
  client.note = "asked without temperature";
  EXPECT_TRUE(ask(client).ok());
  EXPECT_THAT(said, ElementsAre("asked without temperature"));
}

TEST_F(Retries, NeedNoHooks) {
  Scripted client({fault(FaultKind::empty)});
  EXPECT_TRUE(ask_with_retries(client, request, {2, 0, 0}, AttemptHooks{}, cancel).ok());
}

}  // namespace
}  // namespace hone::llm
