// The whole loop against the example of an evaluator outside Hone: no device, times from a queue.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "base/json_probe.h"
#include "hone_binary.h"
#include "store/archive.h"
#include "store/research.h"

namespace hone::end_to_end {
namespace {

namespace fs = std::filesystem;
using base::JsonProbe;
using testing::HasSubstr;

constexpr const char* external_model = R"sh(cat > /dev/null
case $HONE_ROLE in
  selector) echo '{"basis": 1, "reference": 0, "rationale": "it is there"}' ;;
  designer) echo '{"avenues": ["a","b","c","d","e","f","g","h","i","j"], "experiments": [
    {"description": "sieve", "rubric": "r", "performance": [10, 20], "innovation": 90, "kind": "kernel"},
    {"description": "guess", "rubric": "r", "performance": [5, 60], "innovation": 10, "kind": "kernel"},
    {"description": "third", "rubric": "r", "performance": [30, 40], "innovation": 20, "kind": "kernel"},
    {"description": "fourth", "rubric": "r", "performance": [0, 5], "innovation": 5, "kind": "kernel"},
    {"description": "fifth", "rubric": "r", "performance": [1, 2], "innovation": 1, "kind": "kernel"}]}' ;;
  learner) echo '{"findings": [], "reports": []}' ;;
  *) case $HONE_STEP in
       *writer-1*) cat "$SIEVE" ;;
       *) printf '```c\n#include <stdio.h>\nint main(void) { puts("42"); return 0; }\n/* %s */\n```\n## Report\nA guess.\n' "$HONE_STEP" ;;
     esac ;;
esac
)sh";

constexpr const char* sieve = R"(```c
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  const long n = argc > 1 ? atol(argv[1]) : 0;
  char* composite = calloc((size_t)n + 2, 1);
  long count = 0;
  for (long p = 2; p < n; ++p) {
    if (composite[p]) continue;
    ++count;
    for (long m = p * p; m < n; m += p) composite[m] = 1;
  }
  printf("%ld\n", count);
  return 0;
}
```
## Report
A sieve.
)";

class ExternalRun : public testing::Test {
 protected:
  void SetUp() override {
    if (hone_.run_program({"python3", "--version"}).code != 0 ||
        hone_.run_program({"cc", "--version"}).code != 0)
      GTEST_SKIP() << "python3 and cc are needed";
    base::write_file_atomically(hone_.folder() / "model.sh", external_model);
    base::write_file_atomically(hone_.folder() / "sieve", sieve);
    hone_.set("SIEVE", hone_.folder() / "sieve");
    hone_.set("HONE_EXAMPLE_QUEUE", hone_.folder() / "queue");
  }
  std::vector<std::string> words() const {
    const std::string example = std::string(HONE_EXAMPLES) + "/external";
    return {"run",
            example,
            "--evaluator",
            "exec:python3 '" + example + "/evaluator.py'",
            "--llm",
            "exec:sh '" + (hone_.folder() / "model.sh").string() + "'",
            "--max-candidates",
            "3",
            "--json"};
  }
  std::vector<std::string> submissions() const {
    std::vector<std::string> names;
    std::istringstream lines(base::read_file(hone_.folder() / "queue/submissions.log"));
    for (std::string line; std::getline(lines, line);) names.push_back(line);
    return names;
  }
  Hone hone_;
};

TEST_F(ExternalRun, FindsTheSieveWithoutADevice) {
  const auto finished = hone_.run(words());
  ASSERT_EQ(finished.code, 0) << finished.err << finished.out;
  const JsonProbe result(finished.out);
  EXPECT_EQ(result["state"], "finished");
  const auto best = hone_.run({"best", result["run"].text(), "-o", hone_.folder() / "best.c"});
  EXPECT_EQ(best.code, 0) << best.err;
  EXPECT_THAT(base::read_file(hone_.folder() / "best.c"), HasSubstr("composite"));
}

TEST_F(ExternalRun, SubmitsNothingTwiceWhenItIsKilledWhileASubmissionIsPending) {
  hone_.set("HONE_EXAMPLE_LATENCY", "1");
  hone_.run_and_kill(
      words(), 1.2);  // whenever that is: before, while or after the first submission is pending
  std::vector<std::string> go_on = words();
  {
    auto archive = store::Archive::open(hone_.home() / "archive.db");
    if (const auto runs = store::list_runs(archive, 1); !runs.empty())
      go_on = {"resume", runs[0].id, "--json"};
  }
  hone_.run_and_kill(go_on, 2.5);
  const auto finished = hone_.run(go_on);
  EXPECT_EQ(finished.code, 0) << finished.err;
  const auto names = submissions();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST_F(ExternalRun, IsNotWaitedForBeyondTheMinutes) {
  hone_.set("HONE_EXAMPLE_LATENCY", "100000");
  auto limited = words();
  limited.insert(limited.end(), {"--max-minutes", "0.02"});
  const auto finished = hone_.run(limited);
  EXPECT_EQ(finished.code, 1) << finished.err;
  EXPECT_EQ(JsonProbe(finished.out)["stopped"], "0.02 minutes were allowed");
}

TEST_F(ExternalRun, IsRefusedByCommandsThatNeedADevice) {
  const std::string example = std::string(HONE_EXAMPLES) + "/external";
  EXPECT_EQ(hone_.run({"task", "check", example}).code, 0);
  const auto evaluated = hone_.run({"eval", example, example + "/seed.c"});
  EXPECT_EQ(evaluated.code, 3);
  EXPECT_THAT(evaluated.err, HasSubstr("external"));
  const auto without = hone_.run({"run", example, "--llm", "exec:true"});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("--evaluator"));
}

}  // namespace
}  // namespace hone::end_to_end
