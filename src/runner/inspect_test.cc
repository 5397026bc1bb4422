// Programs of the toolkit on files that candidates made: the judge's side with a worker that lies,
// and the worker's side with real programs.
#include "runner/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_probe.h"
#include "runner/inspect_child.h"
#include "runner/test_worker.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr double long_enough = 60;

base::Result<std::string> inspected(const ScriptedAnswer& answer, double seconds = long_enough) {
  return inspect({"/bin/true", {script_text({{"inspect", {answer}}}), "{}"}, "a cubin", seconds});
}

TEST(Inspect, ReturnsWhatTheProgramPrinted) {
  const auto listing =
      inspected({.says = {R"({"code":0})"}, .files = {"the listing", "a warning"}});
  ASSERT_TRUE(listing) << listing.error();
  EXPECT_EQ(*listing, "the listing");
}

TEST(Inspect, TellsWhatWentWrong) {
  const std::string noise(10000, 'x');
  const std::pair<ScriptedAnswer, const char*> cases[] = {
      {{.says = {R"({"code":3})"}, .files = {"", "not a cubin"}}, "true failed (3): not a cubin"},
      {{.says = {R"({"code":0})"}, .files = {"only one"}}, "true could not be run: ?"},
      {{.says = {R"({"broken":"no such file"})"}}, "true could not be run: no such file"},
      {{.says = {"nonsense"}, .files = {"out", "err"}}, "true could not be run: ?"},
      {{.says = {R"({"code":"0"})"}, .files = {"out", "err"}}, "true failed (-1)"},
      {{.does = "crash"}, "true was killed by SIGSEGV"}};
  for (const auto& [answer, told] : cases) {
    const auto listing = inspected(answer);
    ASSERT_FALSE(listing) << told;
    EXPECT_THAT(listing.error(), HasSubstr(told));
  }
  EXPECT_LT(inspected({.says = {R"({"code":1})"}, .files = {"", noise}}).error().size(), 600u);
  EXPECT_THAT(inspected({.says = {}}, 0.02).error(), HasSubstr("did not finish within 0.02 s"));
  const auto missing = inspect({"/nowhere/nvdisasm", {}, "", long_enough});
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error(), AllOf(HasSubstr("/nowhere/nvdisasm"), HasSubstr("missing")));
}

// ---- the worker's side

struct InspectHere : testing::Test {
  std::vector<base::Fd> reply;

  base::JsonProbe run(const std::vector<std::string>& words, const std::string& contents = "") {
    std::vector<base::Fd> given;
    given.push_back(memory_file(contents, "contents"));
    reply.clear();
    return base::JsonProbe(inspect_here({words}, given, reply));
  }
  std::string printed(std::size_t which) const {
    return read_memory_file(reply.at(which), 1 << 20);
  }
};

TEST_F(InspectHere, GivesTheProgramAFileWithTheContents) {
  const std::string contents("a\0cubin", 7);
  EXPECT_EQ(run({"/bin/cat", "{}"}, contents)["code"], 0);
  EXPECT_EQ(printed(0), contents);
  EXPECT_EQ(printed(1), "");
  EXPECT_EQ(run({"/bin/sh", "-c", "cat \"$0\" \"$1\"", "{}", "/dev/null"}, "once")["code"], 0);
  EXPECT_EQ(printed(0), "once");
}

TEST_F(InspectHere, TellsHowTheProgramEndedAndWhatItPrinted) {
  EXPECT_EQ(run({"/bin/sh", "-c", "echo out; echo why >&2; exit 3"})["code"], 3);
  EXPECT_EQ(printed(0), "out\n");
  EXPECT_EQ(printed(1), "why\n");
  EXPECT_EQ(run({"/bin/sh", "-c", "kill -11 $$"})["code"], 128 + 11) << "as shells tell it";
  EXPECT_THAT(run({"/nowhere/nvdisasm", "{}"})["broken"].text(), HasSubstr("No such file"));
  EXPECT_TRUE(reply.empty());
}

}  // namespace
}  // namespace hone::runner
