#include "exec/external_executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "exec/external_requests.h"

namespace hone::exec {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* good_result =
    R"({"cases":[{"name":"b","seconds":2},{"name":"a","seconds":1,"seconds_low":0.5,"seconds_high":1.5}]})";

// An evaluator made of one small script for each request; what it is asked, it writes down.
class External : public testing::Test {
 protected:
  External() : folder_("hone-external-test") {
    base::write_file_atomically(folder_.path() / "evaluator",
                                "d=$1\necho \"$2\" >> \"$d/calls\"\ncat > \"$d/$2.request\"\n"
                                "n=$(grep -c \"^$2\" \"$d/calls\")\n. \"$d/$2.sh\"\n");
    answer("describe", R"(echo '{"protocol":1,"parallel":2}')");
    answer("submit", R"(echo '{"id":"number 7"}')");
    answer("status", R"(echo '{"state":"done"}')");
    answer("result", std::string("echo '") + good_result + "'");
  }

  void answer(const std::string& what, const std::string& script) {
    base::write_file_atomically(folder_.path() / (what + ".sh"), script + "\n");
  }
  std::unique_ptr<Executor> executor() const {
    ExternalOptions options;
    options.command =
        "sh '" + (folder_.path() / "evaluator").string() + "' '" + folder_.path().string() + "'";
    options.state = folder_.path() / "state";
    options.first_pause = options.longest_pause = options.poll_seconds = 0.01;
    options.tries = 3;
    options.request_seconds = 600;
    return external_executor(options);
  }
  static PackedJob job(const std::string& name) {
    return {name, to_text(ExternalJob{"sum", "c", "int x;\n", {"a", "b"}})};
  }
  static ExternalAnswer wait(Executor& executor, const std::string& name) {
    const auto result = executor.wait_for(name, [] { return false; });
    EXPECT_TRUE(result);
    auto parsed = external_answer_from(result ? result->body : "");
    EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error());
    return *parsed;
  }
  ExternalAnswer ask(const std::string& name = "r.1") const {
    const auto made = executor();
    made->submit(job(name));
    return wait(*made, name);
  }
  int calls(const std::string& what) const {
    std::ifstream file(folder_.path() / "calls");
    int count = 0;
    for (std::string line; std::getline(file, line);) count += line == what ? 1 : 0;
    return count;
  }
  std::string request(const std::string& what) const {
    return base::read_file(folder_.path() / (what + ".request"));
  }

  base::TemporaryFolder folder_;
};

TEST_F(External, GivesTheTimesOfEachCaseInTheTasksOrder) {
  const ExternalAnswer got = ask();
  EXPECT_EQ(got.failure + got.broken, "");
  ASSERT_EQ(got.cases.size(), 2u);
  EXPECT_EQ(got.cases[0].name, "a");
  EXPECT_EQ(got.cases[0].low, 0.5);
  EXPECT_EQ(got.cases[1].high, 2);
  EXPECT_THAT(request("submit"), HasSubstr("\"name\":\"r.1\""));
  EXPECT_THAT(request("submit"), HasSubstr("candidate.c"));
  EXPECT_THAT(request("result"), HasSubstr("number 7"));
}

TEST_F(External, WaitsForAsLongAsItIsQueued) {
  answer(
      "status",
      R"(if [ "$n" -lt 4 ]; then echo '{"state":"queued","retry_after":0.01}'; else echo '{"state":"done"}'; fi)");
  EXPECT_EQ(ask().cases.size(), 2u);
  EXPECT_EQ(calls("status"), 4);
  EXPECT_EQ(calls("submit"), 1);
}

TEST_F(External, TellsTheEvaluatorsWordsOnACandidateItRefused) {
  answer("status", R"(echo '{"state":"failed"}')");
  answer("result", R"(echo '{"failure":"wrong at element 3"}')");
  EXPECT_EQ(ask().failure, "wrong at element 3");
}

TEST_F(External, TriesAgainWhereARequestFailsOrMakesNoSense) {
  answer("submit", R"(if [ "$n" = 1 ]; then exit 3; else echo '{"id":7}'; fi)");
  answer("status", R"(if [ "$n" = 1 ]; then echo 'half an ans'; else echo '{"state":"done"}'; fi)");
  answer("result",
         R"(if [ "$n" = 1 ]; then echo '{"cases":[{"name":"a","seconds":1}]}'; else echo ')" +
             std::string(good_result) + "'; fi");
  EXPECT_EQ(ask().cases.size(), 2u);
  EXPECT_EQ(calls("submit"), 2);
  EXPECT_EQ(calls("status"), 2);
  EXPECT_EQ(calls("result"), 2);
}

TEST_F(External, GivesUpAfterAFewTriesAndSaysWhy) {
  answer("submit", "echo 'the queue is on fire' >&2; exit 9");
  const ExternalAnswer got = ask();
  EXPECT_THAT(got.broken, HasSubstr("the queue is on fire"));
  EXPECT_THAT(got.broken, HasSubstr("code 9"));
  EXPECT_EQ(calls("submit"), 3);
  // The next process tries again.
  answer("submit", R"(echo '{"id":"x"}')");
  EXPECT_EQ(ask().cases.size(), 2u);
}

TEST_F(External, DoesNotBelieveTimesThatMakeNoSense) {
  for (const char* bad :
       {R"({"cases":[]})", R"({"cases":[{"name":"a","seconds":1},{"name":"a","seconds":1}]})",
        R"({"cases":[{"name":"a","seconds":1},{"name":"c","seconds":1}]})",
        R"({"cases":[{"name":"a","seconds":-1},{"name":"b","seconds":1}]})",
        R"({"cases":[{"name":"a","seconds":0},{"name":"b","seconds":1}]})",
        R"({"cases":[{"name":"a","seconds":"1"},{"name":"b","seconds":1}]})",
        R"({"cases":[{"name":"a","seconds":1,"seconds_low":2},{"name":"b","seconds":1}]})", R"([])",
        "", "null", R"({"cases":[{"name":"a","seconds":1e999},{"name":"b","seconds":1}]})"})
    EXPECT_FALSE(parse_result(bad, {"a", "b"}).ok()) << bad;
  EXPECT_TRUE(parse_result(good_result, {"a", "b"}).ok());
  EXPECT_FALSE(parse_state(R"({"state":"soon"})").ok());
  EXPECT_FALSE(parse_id(R"({"id":""})").ok());
  EXPECT_FALSE(parse_description(R"({"protocol":2})").ok());
  EXPECT_FALSE(parse_description(R"({"parallel":0})").ok());
}

TEST_F(External, GoesOnPollingAfterARestartInsteadOfSubmittingAgain) {
  answer("status", R"(echo '{"state":"running","retry_after":0.01}')");
  {
    const auto first = executor();
    first->submit(job("r.1"));
    first->wait_for("r.1", [&] { return calls("status") > 0; });  // then this process ends
  }
  EXPECT_EQ(calls("submit"), 1);
  answer("status", R"(echo '{"state":"done"}')");
  EXPECT_EQ(ask().cases.size(), 2u);
  EXPECT_EQ(calls("submit"), 1);
  // What was fetched once is not asked for again.
  const int before = calls("result");
  EXPECT_EQ(ask().cases.size(), 2u);
  EXPECT_EQ(calls("result"), before);
}

TEST_F(External, SubmitsUnderTheSameNameWhereItsIdWasNeverWrittenDown) {
  answer("status", R"(echo '{"state":"running","retry_after":0.01}')");
  {
    const auto first = executor();
    first->submit(job("r.1"));
    first->wait_for("r.1", [&] { return calls("status") > 0; });
  }
  fs::remove(folder_.path() / "state/r.1/id");  // killed between the answer and the file
  answer("status", R"(echo '{"state":"done"}')");
  EXPECT_EQ(ask().cases.size(), 2u);
  EXPECT_EQ(calls("submit"), 2);
  EXPECT_THAT(request("submit"), HasSubstr("\"name\":\"r.1\""));
}

TEST_F(External, SubmitsAgainWhatTheEvaluatorHasForgotten) {
  answer("status",
         R"(if [ "$n" = 1 ]; then echo '{"state":"unknown"}'; else echo '{"state":"done"}'; fi)");
  EXPECT_EQ(ask().cases.size(), 2u);
  EXPECT_EQ(calls("submit"), 2);
  answer("status", R"(echo '{"state":"unknown"}')");
  EXPECT_THAT(ask("r.2").broken, HasSubstr("forgotten"));
}

TEST_F(External, HasNoMoreOpenThanTheEvaluatorAllows) {
  // Submissions and ends are written down as they happen; the third has to wait for an end.
  answer("submit", R"(echo "{\"id\":\"$n\"}"; echo s >> "$d/order")");
  answer(
      "status",
      R"(if [ "$n" -lt 6 ]; then echo '{"state":"running","retry_after":0.01}'; else echo e >> "$d/order"; echo '{"state":"done"}'; fi)");
  const auto made = executor();
  for (const char* name : {"r.1", "r.2", "r.3", "r.4"}) made->submit(job(name));
  for (const char* name : {"r.1", "r.2", "r.3", "r.4"})
    EXPECT_EQ(wait(*made, name).cases.size(), 2u);
  std::ifstream file(folder_.path() / "order");
  int open = 0, most = 0;
  for (std::string line; std::getline(file, line);)
    most = std::max(most, open += line == "s" ? 1 : -1);
  EXPECT_EQ(most, 2);
  EXPECT_EQ(calls("submit"), 4);
  EXPECT_EQ(calls("describe"), 1);
}

TEST_F(External, EndsARequestThatHangsAndOneThatTalksTooMuch) {
  answer("status", R"(if [ "$n" = 1 ]; then yes; else echo '{"state":"done"}'; fi)");
  EXPECT_EQ(ask().cases.size(), 2u);
  EXPECT_EQ(calls("status"), 2);
}

TEST_F(External, StopsWaitingWhenItIsTold) {
  answer("status", R"(echo '{"state":"running","retry_after":1000}')");
  const auto made = executor();
  made->submit(job("r.1"));
  EXPECT_FALSE(made->wait_for("r.1", [] { return true; }));
  EXPECT_THROW(made->submit({"../r", job("r").body}), base::Error);
}

}  // namespace
}  // namespace hone::exec
