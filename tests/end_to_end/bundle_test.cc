// Work that travels, through the binary: packed, done elsewhere, brought back; killed on the way,
// damaged, imported twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "base/hash.h"
#include "base/json_probe.h"
#include "copy_task.h"
#include "exec/bundle_folder.h"
#include "exec/records.h"
#include "hone_binary.h"
#include "run/bundle.h"
#include "run/bundle_files.h"
#include "run/job.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::end_to_end {
namespace {

namespace fs = std::filesystem;
using base::JsonProbe;
using testing::HasSubstr;

class BundleCommands : public testing::Test {
 protected:
  BundleCommands() {
    write_copy_task(hone_.folder() / "copy");
    task_ = *task::load_task(hone_.folder() / "copy");
  }

  void submit(const std::string& name, const std::string& behaviour, bool fresh = false) {
    run::Job job;
    job.name = name;
    job.task_folder = task_.folder;
    job.task = task_.hash;
    job.candidate = *task::candidate_from(
        "/* hone 1\n[[launch]]\nkernel = \"copy\"\ngrid = [1]\nblock = [1]\nargs = [\"x\", "
        "\"y\"]\n*/\n"
        "kernel copy(buffer, buffer) " +
            behaviour + "\n",
        core::Language::fake, name + ".fake");
    job.fresh = fresh;
    exec::BundleFolder(jobs()).put_job({name, to_text(job)});
  }
  Finished pack() { return hone_.run({"bundle", "pack", jobs(), "-o", bundle()}); }
  std::vector<std::string> run_words() const {
    return {"bundle", "run", bundle(), "-o", results()};
  }
  Finished import() { return hone_.run({"bundle", "import", jobs(), results()}); }
  // How often work was begun on each job, and results there are.
  int records(const std::string& kind) const {
    const auto read = exec::read_records(results(), run::results_kind, run::results_format);
    int count = 0;
    for (const auto& record : read->all) count += record.kind == kind ? 1 : 0;
    return count;
  }

  std::string jobs() const { return hone_.folder() / "away"; }
  std::string bundle() const { return hone_.folder() / "work.bundle"; }
  std::string results() const { return hone_.folder() / "work.results"; }
  Hone hone_;
  core::Task task_;
};

TEST_F(BundleCommands, CarryJobsThereAndResultsBack) {
  submit("j-1", "copy");
  submit("j-2", "zeros");
  submit("j-3", "copy", true);
  const auto packed = pack();
  ASSERT_EQ(packed.code, 0) << packed.err;
  EXPECT_THAT(packed.out, HasSubstr("hone bundle run work.bundle"));
  const auto done = hone_.run(run_words());
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("3 of 3 jobs done"));
  const auto imported = import();
  EXPECT_EQ(imported.code, 0) << imported.err;
  EXPECT_THAT(imported.out, HasSubstr("imported 3"));
  const auto result = run::result_from(exec::BundleFolder(jobs()).result("j-3")->body);
  std::string said;
  for (const auto& evidence : result->evaluation->evidence) said += evidence.text + "\n";
  EXPECT_EQ(result->evaluation->outcome, core::Outcome::accepted) << said;

  const auto again = import();
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.out, HasSubstr("ignored 3"));
  EXPECT_EQ(pack().code, 3) << "there is nothing left to pack";
}

TEST_F(BundleCommands, GoOnAfterAKill) {
  for (int i = 0; i < 6; ++i) submit("j-" + std::to_string(i), "copy");
  ASSERT_EQ(pack().code, 0);
  const auto killed = hone_.run_and_signal(run_words(), "2 of 6", 1, SIGKILL);
  EXPECT_EQ(killed.survivors, 0);
  const int before = records("result");
  EXPECT_GE(before, 2);
  const auto done = hone_.run(run_words());
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(records("result"), 6);
  EXPECT_LE(records("start"), 7) << "at most the one that was interrupted is done again";
  EXPECT_THAT(import().out, HasSubstr("imported 6"));
}

TEST_F(BundleCommands, StopWhenTheTimeIsUpAndGoOnLater) {
  for (int i = 0; i < 3; ++i) submit("j-" + std::to_string(i), "copy");
  ASSERT_EQ(pack().code, 0);
  auto words = run_words();
  words.insert(words.end(), {"--max-minutes", "0.000001"});
  EXPECT_EQ(hone_.run(words).code, 21);
  EXPECT_EQ(hone_.run(run_words()).code, 0);
}

TEST_F(BundleCommands, RefuseWhatIsDamagedOrOfAnotherBundle) {
  submit("j-1", "copy");
  ASSERT_EQ(pack().code, 0);
  ASSERT_EQ(hone_.run(run_words()).code, 0);
  const std::string good = base::read_file(results());
  std::string bad = good;
  bad[bad.size() / 2] ^= 1;
  base::write_file_atomically(results(), bad);
  const auto refused = import();
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("damaged"));
  EXPECT_EQ(hone_.run(run_words()).code, 3) << "it is not written over either";
  base::write_file_atomically(results(), good);
  base::make_folder(hone_.folder() / "other");
  const auto other = hone_.run({"bundle", "import", hone_.folder() / "other", results()});
  EXPECT_EQ(other.code, 3);
  EXPECT_THAT(other.err, HasSubstr("another bundle"));
  std::string bundle_text = base::read_file(bundle());
  base::write_file_atomically(bundle(), bundle_text.substr(0, bundle_text.size() - 1));
  EXPECT_THAT(hone_.run(run_words()).err, HasSubstr("not copied whole"));
  bundle_text.replace(0, 13, "hone bundle 9");
  base::write_file_atomically(bundle(), bundle_text);
  const auto newer = hone_.run(run_words());
  EXPECT_EQ(newer.code, 3);
  EXPECT_THAT(newer.err, HasSubstr("version 9"));
  EXPECT_EQ(import().code, 0);
}

// The whole loop: the models are asked here, the kernels are judged "there", until the run is done.
TEST_F(BundleCommands, CarryAWholeRun) {
  base::write_file_atomically(hone_.folder() / "model.sh", R"sh(cat > /dev/null
echo "$HONE_STEP" >> "$ASKED"
case $HONE_ROLE in
  selector) echo '{"basis": 1, "reference": 0, "rationale": "it is there"}' ;;
  designer) echo '{"avenues": ["a","b","c","d","e","f","g","h","i","j"], "experiments": [
    {"description": "one", "rubric": "r", "performance": [10, 20], "innovation": 90, "kind": "kernel"},
    {"description": "two", "rubric": "r", "performance": [5, 60], "innovation": 10, "kind": "kernel"},
    {"description": "three", "rubric": "r", "performance": [30, 40], "innovation": 20, "kind": "kernel"},
    {"description": "four", "rubric": "r", "performance": [0, 5], "innovation": 5, "kind": "kernel"},
    {"description": "five", "rubric": "r", "performance": [1, 2], "innovation": 1, "kind": "kernel"}]}' ;;
  learner) echo '{"findings": [], "reports": []}' ;;
  *) printf '```\n/* hone 1\n[[launch]]\nkernel = "copy"\ngrid = [1]\nblock = [1]\nargs = ["x", "y"]\n*/\nkernel copy(buffer, buffer) copy ns=%s000000\n```\n## Report\nAnother time.\n' "$(wc -l < "$ASKED")" ;;
esac
)sh");
  base::write_file_atomically(
      hone_.folder() / "seed.fake",
      "/* hone 1\n[[launch]]\nkernel = \"copy\"\ngrid = [1]\nblock = [1]\nargs = [\"x\", "
      "\"y\"]\n*/\nkernel copy(buffer, buffer) copy ns=1000000000\n");
  hone_.set("ASKED", hone_.folder() / "asked");
  const std::string device = hone_.folder() / "device.json";
  const auto described = hone_.run({"bundle", "device", "--device", "fake:1", "-o", device});
  ASSERT_EQ(described.code, 0) << described.err;
  auto finished = hone_.run({"run", task_.folder, "--executor", "bundle:" + jobs(), "--device",
                             device, "--seed", hone_.folder() / "seed.fake", "--llm",
                             "exec:sh " + (hone_.folder() / "model.sh").string(),
                             "--max-candidates", "3", "--json"});
  int trips = 0;
  for (; finished.code == 20 && trips < 12; ++trips) {
    const std::string run = JsonProbe(finished.out)["run"];
    ASSERT_EQ(pack().code, 0);
    fs::remove(results());
    auto words = run_words();
    words.insert(words.end(), {"--device", "fake:1"});
    const auto done = hone_.run(words);
    ASSERT_EQ(done.code, 0) << done.err;
    ASSERT_EQ(import().code, 0);
    finished = hone_.run({"resume", run, "--json"});
  }
  EXPECT_EQ(finished.code, 0) << finished.err << finished.out;
  EXPECT_GE(trips, 2);
  EXPECT_EQ(JsonProbe(finished.out)["state"], "finished");
  const JsonProbe summary(hone_.run({"report", JsonProbe(finished.out)["run"], "--json"}).out);
  EXPECT_FALSE(summary["profiles"].empty())
      << "what explains a candidate comes back with its verdict";
  EXPECT_LE(trips, 4)
      << "and takes no trip of its own: first generation, generation, certification";
}

}  // namespace
}  // namespace hone::end_to_end
