// `hone profile` and `hone tools` through the binary, and a run whose model cites advice: on the
// fake device, and on OpenCL where there is one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "base/json_probe.h"
#include "copy_task.h"
#include "hone_binary.h"
#include "replaced.h"
#include "store/advice_ledger.h"
#include "store/profiles.h"
#include "store/research.h"

namespace hone::end_to_end {
namespace {

using base::JsonProbe;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string fake_kernel(const std::string& behaviour) {
  return "/* hone 1\n[[launch]]\nkernel = \"copy\"\ngrid = [1]\nblock = [1]\nargs = [\"x\", "
         "\"y\"]\n*/\n"
         "kernel copy(buffer, buffer) " +
         behaviour + "\n";
}

// A tool of the user's own, so that advice does not depend on what this machine can measure.
constexpr const char* tool = R"sh(#!/bin/sh
cat > /dev/null
echo '{"advice": [{"severity": "major", "title": "The copy says a large number", "evidence": "It says so.",
  "cause": "The number.", "recommendation": "Say a smaller one.", "lines": [8], "gain": [10, 50],
  "model": "If the number were smaller."}]}'
)sh";

// The first experiment cites the first advice, and one that was never given; its writer finds
// something.
constexpr const char* citing_model = R"sh(#!/bin/sh
cat > "$HONE_ASKED.$(echo "$HONE_STEP" | tr / .)"
kernel() {
  printf '```\n/* hone 1\n[[launch]]\nkernel = "copy"\ngrid = [1]\nblock = [1]\nargs = ["x", "y"]\n*/\nkernel copy(buffer, buffer) copy ns=%s\n```\n## Report\nThe time is another.\n' "$1"
}
case $HONE_ROLE in
  selector) echo '{"basis": 1, "reference": 0, "rationale": "the first is as good as any"}' ;;
  designer) echo '{"avenues": ["a","b","c","d","e","f","g","h","i","j"], "experiments": [
    {"description": "one", "rubric": "r", "performance": [10, 20], "innovation": 90, "kind": "kernel", "advice": ["A1", "A99"]},
    {"description": "two", "rubric": "r", "performance": [5, 60], "innovation": 10, "kind": "kernel", "advice": []},
    {"description": "three", "rubric": "r", "performance": [30, 40], "innovation": 20, "kind": "kernel"},
    {"description": "four", "rubric": "r", "performance": [0, 5], "innovation": 5, "kind": "kernel"},
    {"description": "five", "rubric": "r", "performance": [1, 2], "innovation": 1, "kind": "kernel"}]}' ;;
  learner) echo '{"findings": ["Copies are quicker when they say so."], "reports": []}' ;;
  writer)
    case $HONE_STEP in
      seed/*) kernel 900000000 ;;
      *writer-1/*) kernel 700000000 ;;
      *) kernel 2000000000 ;;
    esac ;;
esac
)sh";

struct Workshop {
  Workshop() {
    write_copy_task(hone.folder() / "copy");
    base::write_file_atomically(hone.folder() / "seed.fake", fake_kernel("copy ns=1000000000"));
    script("tool.sh", tool);
    script("model.sh", citing_model);
    hone.set("HONE_ASKED", hone.folder() / "asked");
  }
  void script(const std::string& name, const char* text) const {
    base::write_file_atomically(hone.folder() / name, text);
    ::chmod((hone.folder() / name).c_str(), 0755);
  }
  std::string path(const std::string& name) const { return hone.folder() / name; }
  Finished profile(const std::string& candidate, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"profile", path("copy"), path(candidate), "--device", "fake:1"};
    words.insert(words.end(), more.begin(), more.end());
    return hone.run(words);
  }
  Finished run(std::vector<std::string> more) const {
    std::vector<std::string> words{"run",
                                   path("copy"),
                                   "--device",
                                   "fake:1",
                                   "--seed",
                                   path("seed.fake"),
                                   "--llm",
                                   "exec:" + path("model.sh"),
                                   "--max-candidates",
                                   "4",
                                   "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return hone.run(words);
  }
  std::string asked(const std::string& step) const {
    return base::read_file(path("asked." + step));
  }
  JsonProbe tool_record(const std::string& name) const {
    const JsonProbe all(hone.run({"tools", "--json"}).out);
    for (const auto& one : all["tools"].items())
      if (one["tool"] == name) return one;
    return JsonProbe();
  }
  store::Archive archive() const { return store::Archive::open(hone.home() / "archive.db"); }

  Hone hone;
};

TEST(Profile, SaysWhatLimitsAKernelAndWhatToDo) {
  const Workshop shop;
  const auto finished = shop.profile("seed.fake", {"--tool", shop.path("tool.sh")});
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(
      finished.out,
      AllOf(HasSubstr("A1"), HasSubstr("The copy says a large number"),
            HasSubstr("Say a smaller one."), HasSubstr("10 to 50 % of the call's time"),
            HasSubstr("explaining took"), HasSubstr("recorded as "), Not(HasSubstr("\x1b"))));
}

TEST(Profile, IsRecordedAndShownAgain) {
  const Workshop shop;
  const auto finished = shop.profile("seed.fake", {"--tool", shop.path("tool.sh"), "--json"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  const JsonProbe made(finished.out);
  const std::string id = made["id"];
  EXPECT_EQ(made["diagnosis"]["bound"].kind(), "string");
  EXPECT_EQ(made["advice"][0]["lines"].dump(), "[8]");
  EXPECT_GT(made["seconds"].number(), 0.0);
  const JsonProbe shown(shop.hone.run({"show", id, "--json"}).out);
  EXPECT_EQ(shown["kind"], "profile");
  EXPECT_EQ(shown["advice"], made["advice"]);
  EXPECT_EQ(shown["metrics"], made["metrics"]);
  EXPECT_THAT(shop.hone.run({"show", id.substr(0, 6)}).out, HasSubstr("metrics"));
  const std::string candidate = made["key"]["candidate"];
  const JsonProbe of_candidate(shop.hone.run({"show", candidate.substr(0, 10), "--json"}).out);
  EXPECT_EQ(of_candidate["profiles"][0]["id"], id);
  EXPECT_EQ(of_candidate["evaluations"].size(), 1u) << "the verdict was recorded too";
  shop.profile("seed.fake");
  EXPECT_EQ(JsonProbe(shop.hone.run({"show", candidate.substr(0, 10), "--json"}).out)["evaluations"]
                .size(),
            1u)
      << "and not made again";
}

// A time of another day: the machine has changed since.
TEST(Profile, ExplainsATimeOfItsOwnWhereTheVerdictIsFromTheArchive) {
  const Workshop shop;
  const double first = JsonProbe(shop.profile("seed.fake", {"--json"}).out)["seconds"].number();
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open((shop.hone.home() / "archive.db").c_str(), &database), SQLITE_OK);
  EXPECT_EQ(
      sqlite3_exec(
          database,
          "DROP TRIGGER case_results_refuse_update; UPDATE case_results SET median = 10 * median",
          nullptr, nullptr, nullptr),
      SQLITE_OK);
  sqlite3_close(database);
  const auto finished = shop.profile("seed.fake", {"--json"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  const JsonProbe again(finished.out);
  EXPECT_LT(again["seconds"].number(), 5 * first);
  EXPECT_THAT(again["notes"].dump(), HasSubstr("that time is the one explained here"));
}

TEST(Profile, RefusesACandidateThatIsNotAcceptedWithItsEvidence) {
  const Workshop shop;
  base::write_file_atomically(shop.hone.folder() / "wrong.fake", fake_kernel("zeros"));
  const auto finished = shop.profile("wrong.fake");
  EXPECT_EQ(finished.code, 1);
  EXPECT_THAT(finished.out, AllOf(HasSubstr("wrong"), HasSubstr("why")));
  EXPECT_EQ(JsonProbe(shop.profile("wrong.fake", {"--json"}).out)["outcome"], "wrong");
  auto archive = shop.archive();
  EXPECT_TRUE(store::list_profiles(archive, 10).empty());
}

TEST(Profile, SkipsAToolThatTalksNonsense) {
  const Workshop shop;
  shop.script("nonsense.sh", "#!/bin/sh\necho no idea\n");
  const auto finished = shop.profile("seed.fake", {"--tool", shop.path("nonsense.sh"), "--json"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  const JsonProbe made(finished.out);
  bool said = false;
  for (const auto& one : made["left_out"].items())
    said = said || one["tool"] == "program:nonsense.sh";
  EXPECT_TRUE(said) << finished.out;
}

TEST(Profile, RunsTheProgramsOfTheConfiguration) {
  const Workshop shop;
  std::filesystem::create_directories(shop.hone.folder() / "my tools");
  shop.script("my tools/tool.sh", tool);
  const auto configure = [&](const std::string& text) {
    base::make_folder(shop.hone.home());
    base::write_file_atomically(shop.hone.home() / "tools.toml", text);
  };
  configure("programs = [\"'" + shop.path("my tools/tool.sh") + "'\"]\n");
  const JsonProbe made(shop.profile("seed.fake", {"--json"}).out);
  EXPECT_EQ(made["advice"][0]["tool"], "program:tool.sh");
  const auto again = shop.hone.run({"profile", "--again", made["id"], "--json"});
  EXPECT_EQ(JsonProbe(again.out)["advice"][0]["tool"], "program:tool.sh") << again.err;
  for (const std::string wrong :
       {"programs = [\"\"]", "programs = \"a\"", "tools = []", "programs = [", "programs = [1]"}) {
    configure(wrong);
    const auto finished = shop.profile("seed.fake");
    EXPECT_EQ(finished.code, 3) << wrong;
    EXPECT_THAT(finished.err, HasSubstr("tools.toml")) << wrong;
  }
}

TEST(Profile, RefusesAToolThatNamesNoProgram) {
  const Workshop shop;
  const auto finished = shop.profile("seed.fake", {"--tool", ""});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("--tool '': it names no program"));
  EXPECT_EQ(shop.run({"--tool", "'a"}).code, 2);
}

TEST(Profile, RefusesACaseThatIsNotThere) {
  const Workshop shop;
  EXPECT_EQ(shop.profile("seed.fake", {"--case", "huge"}).code, 3);
}

TEST(Tools, AreListedBeforeAnythingWasProfiled) {
  const Workshop shop;
  const JsonProbe all(shop.hone.run({"tools", "--json"}).out);
  EXPECT_GE(all["tools"].size(), 16u);
  for (const auto& one : all["tools"].items()) {
    EXPECT_EQ(one["fired"], 0);
    EXPECT_FALSE(one["summary"].text().empty()) << one["tool"];
    EXPECT_EQ(one["hardware"].kind(), "string") << one["tool"];
    EXPECT_TRUE(one["needs"].kind() == "array") << one["tool"];
    EXPECT_EQ(one["weight"], 1.0);
  }
  EXPECT_FALSE(std::filesystem::exists(shop.hone.home() / "archive.db"))
      << "a command that reads makes no archive";
  base::write_file_atomically(shop.hone.folder() / "empty.db", "");
  EXPECT_THAT(shop.hone.run({"tools", "--archive", shop.path("empty.db")}).err,
              HasSubstr("the file is empty"));
  EXPECT_EQ(std::filesystem::file_size(shop.hone.folder() / "empty.db"), 0u);
  EXPECT_THAT(shop.hone.run({"tools"}).out, HasSubstr("register-spill"));
}

TEST(RunWithAdvice, ShowsItCitesItAndKeepsWhatItGained) {
  const Workshop shop;
  const auto finished = shop.run({"--tool", shop.path("tool.sh")});
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(shop.asked("g001.designer.try-1"),
              AllOf(HasSubstr("What limits the basis"), HasSubstr("The copy says a large number"),
                    Not(HasSubstr("time.call"))));
  EXPECT_THAT(shop.asked("g001.writer-1.try-1"), HasSubstr("Say a smaller one."));
  EXPECT_THAT(shop.asked("g001.writer-2.try-1"), Not(HasSubstr("Say a smaller one.")));
  const JsonProbe record = shop.tool_record("program:tool.sh");
  ASSERT_TRUE(record.kind() == "object");
  EXPECT_GE(record["fired"].number(), 1);
  EXPECT_EQ(record["shown"], 1);
  EXPECT_EQ(record["cited"], 1);
  EXPECT_EQ(record["followed"], 1);
  EXPECT_EQ(record["right"], 1) << "30 % were gained of 10 to 50";
  EXPECT_EQ(record["coverage"], 1.0);
  EXPECT_NEAR(record["mean_realised"].number(), 30, 1);
  EXPECT_NEAR(record["mean_width"].number(), 40, 1e-9);
  const std::string run = JsonProbe(finished.out)["run"];
  const JsonProbe summary(shop.hone.run({"report", run, "--json"}).out);
  int citing = 0;
  for (const auto& node : summary["members"].items())
    if (node["experiment"].kind() == "object" && !node["experiment"]["advice"].empty()) {
      ++citing;
      EXPECT_EQ(node["experiment"]["advice"][0]["tool"], "program:tool.sh");
      EXPECT_NEAR(node["experiment"]["advice"][0]["realised"].number(), 30, 1);
    }
  EXPECT_EQ(citing, 1);
  EXPECT_THAT(
      shop.hone.run({"report", run}).out,
      AllOf(HasSubstr("## Advice"), HasSubstr("A1 program:tool.sh: The copy says a large number"),
            HasSubstr("10 to 50 %")));
}

TEST(RunWithAdvice, IsResumedWithWhatItHad) {
  const Workshop shop;
  const auto first = shop.run({"--tool", shop.path("tool.sh")});
  ASSERT_EQ(first.code, 0) << first.err;
  auto archive = shop.archive();
  const auto before = store::list_profiles(archive, 100).size();
  EXPECT_GE(before, 1u);
  const auto again = shop.hone.run({"resume", JsonProbe(first.out)["run"], "--json"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(store::list_profiles(archive, 100).size(), before);
  EXPECT_EQ(shop.tool_record("program:tool.sh")["cited"], 1);
}

TEST(RunWithAdvice, GetsRawCountersOrNothingWhereThatIsAskedFor) {
  for (const std::string feedback : {"raw", "none"}) {
    const Workshop shop;
    const auto finished = shop.run({"--feedback", feedback, "--tool", shop.path("tool.sh")});
    ASSERT_EQ(finished.code, 0) << finished.err;
    const auto asked = shop.asked("g001.designer.try-1");
    EXPECT_THAT(asked,
                AllOf(Not(HasSubstr("What limits the basis")), Not(HasSubstr("The copy says"))));
    EXPECT_EQ(asked.find("time.call = ") != std::string::npos, feedback == "raw");
    auto archive = shop.archive();
    EXPECT_EQ(store::list_profiles(archive, 10).empty(), feedback == "none");
    const auto run = store::list_runs(archive, 1)[0];
    EXPECT_TRUE(store::shown_in(archive, run.id).empty());
    EXPECT_TRUE(store::citations_of(archive, run.id).empty())
        << "what was not shown cannot be cited";
    EXPECT_EQ(JsonProbe(run.settings)["feedback"], feedback);
  }
}

TEST(ProfileOnOpenCL, SaysWhatLimitsASeedAndGivesAdvice) {
  if (!has_opencl()) GTEST_SKIP() << "there is no OpenCL device here";
  const Hone hone;
  // An example with a case of a sixteenth of its size.
  const auto smaller = [&](const std::string& name, const std::string& from,
                           const std::string& to) {
    const auto folder = hone.folder() / name;
    std::filesystem::copy(std::filesystem::path(HONE_EXAMPLES) / name, folder,
                          std::filesystem::copy_options::recursive);
    base::write_file_atomically(folder / "task.toml",
                                replaced(base::read_file(folder / "task.toml"), from, to));
    return folder.string();
  };
  const std::string softmax =
      smaller("softmax", "rows = 4096, cols = 4096", "rows = 1024, cols = 1024");
  const auto finished =
      hone.run({"profile", softmax, softmax + "/seed.cl", "--device", "opencl:0", "--json"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  const JsonProbe made(finished.out);
  EXPECT_EQ(made["diagnosis"]["theory"], "memory");
  // How far below its ceilings this machine runs it, and how long a busy one takes to start it, is
  // not known here.
  EXPECT_THAT(made["diagnosis"]["bound"].text(), testing::AnyOf("memory", "latency", "launch"));
  EXPECT_FALSE(made["diagnosis"]["reason"].text().empty());
  bool timed = false;
  for (const auto& metric : made["metrics"].items())
    timed = timed || (metric["tag"] == "cpu.kernel_seconds" && metric["value"].kind() == "number");
  EXPECT_TRUE(timed) << "each launch has its own time";
  // The stencil's arithmetic is done one number at a time, whatever the compiler.
  const std::string stencil =
      smaller("stencil", "height = 4096, width = 4096", "height = 1024, width = 1024");
  const auto other =
      hone.run({"profile", stencil, stencil + "/seed.cl", "--device", "opencl:0", "--json"});
  ASSERT_EQ(other.code, 0) << other.err;
  const JsonProbe advice = JsonProbe(other.out)["advice"];
  ASSERT_FALSE(advice.empty()) << other.out;
  EXPECT_EQ(advice[0]["id"], "A1");
  EXPECT_FALSE(advice[0]["recommendation"].text().empty());
  EXPECT_GT(advice[0]["gain"][1].number(), advice[0]["gain"][0].number());
}

}  // namespace
}  // namespace hone::end_to_end
