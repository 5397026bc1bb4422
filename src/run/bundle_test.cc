#include "run/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "exec/bundle_executor.h"
#include "exec/bundle_folder.h"
#include "exec/records.h"
#include "run/bundle_files.h"
#include "run/job_test_task.h"
#include "run/tune_job.h"

namespace hone::run {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class BundleTest : public testing::Test {
 protected:
  BundleTest() : jobs_(place_.path() / "away") {}

  void submit(const Job& job) {
    exec::bundle_executor(jobs_.path())->submit({job.name, to_text(job)});
  }
  Packed pack() { return pack_bundle(jobs_.path(), bundle()); }
  void run(const std::string& only = "") {
    BundleRunOptions options;
    options.judging = quick_judging();
    options.leave_fresh = false;
    options.only = only;
    options.device =
        "fake:1";  // its clock is its own: what is faster does not depend on this machine
    run_bundle(read_bundle(bundle()), results(), options);
  }
  static std::string why(const JobResult& result) {
    std::string text;
    for (const auto& one : result.evaluation->evidence) text += one.guard + ": " + one.text + "\n";
    return text;
  }
  JobResult result(const std::string& name) {
    const auto found = exec::bundle_executor(jobs_.path())->wait_for(name, [] { return false; });
    EXPECT_TRUE(found) << name;
    auto parsed = result_from(found ? found->body : "");
    EXPECT_TRUE(parsed.ok());
    return *parsed;
  }
  int starts() const {
    const auto records = exec::read_records(results(), results_kind, results_format);
    int count = 0;
    for (const auto& record : records->all) count += record.kind == "start" ? 1 : 0;
    return count;
  }
  fs::path bundle() const { return place_.path() / "b.bundle"; }
  fs::path results() const { return place_.path() / "b.results"; }

  static std::string error_of(const std::function<void()>& what) {
    try {
      what();
    } catch (const base::Error& error) {
      EXPECT_EQ(error.code(), base::ExitCode::bad_input);
      return error.what();
    }
    return "";
  }

  FakeTask place_;
  exec::BundleFolder jobs_;
};

TEST_F(BundleTest, GoesThereAndComesBack) {
  submit(place_.job("r.1", "copy"));
  submit(place_.job("r.2", "crash"));
  Job third = place_.job("r.3", "copy");
  third.compare_with = fake_candidate("copy ns=20000000");
  third.fresh = true;
  submit(third);
  Job probe;
  probe.name = "r.4";
  probe.probe_language = core::Language::fake;
  probe.probe = fake_probe("nothing");
  submit(probe);
  const Packed packed = pack();
  EXPECT_EQ(packed.jobs, 4u);
  EXPECT_EQ(packed.tasks, 1u);
  EXPECT_EQ(base::read_file(bundle()).find(place_.path().string()), std::string::npos)
      << "a path went along";
  fs::rename(place_.task_folder(), place_.path() / "gone");  // there, the task is not
  run();
  fs::rename(place_.path() / "gone", place_.task_folder());
  const Imported imported = import_results(jobs_.path(), results());
  EXPECT_EQ(imported.fresh, 4u);
  EXPECT_EQ(imported.missing, 0u);
  EXPECT_EQ(result("r.1").evaluation->outcome, core::Outcome::accepted);
  EXPECT_EQ(result("r.1").evaluation->key.task, place_.task().hash);
  EXPECT_EQ(result("r.2").evaluation->outcome, core::Outcome::crashed);
  EXPECT_EQ(result("r.3").comparison->word, core::Comparison::faster);
  EXPECT_EQ(result("r.4").probe->numbers.size(), 2u);
  EXPECT_TRUE(jobs_.pending().empty());
  EXPECT_THAT(error_of([&] { pack(); }), HasSubstr("nothing to pack"));

  const Imported again = import_results(jobs_.path(), results());
  EXPECT_EQ(again.fresh, 0u);
  EXPECT_EQ(again.known, 4u);
}

TEST_F(BundleTest, IsNotDoneTwice) {
  submit(place_.job("a", "copy"));
  submit(place_.job("b", "copy"));
  pack();
  run("a");
  EXPECT_EQ(starts(), 1);
  EXPECT_EQ(bundle_state(read_bundle(bundle()), results()).open, std::vector<std::string>{"b"});
  const Imported half = import_results(jobs_.path(), results());
  EXPECT_EQ(half.fresh, 1u);
  EXPECT_EQ(half.missing, 1u);
  run();
  run();
  EXPECT_EQ(starts(), 2);
  EXPECT_EQ(import_results(jobs_.path(), results()).fresh, 1u);
}

TEST_F(BundleTest, TunesWhatWasAcceptedOnceAllRivalsHaveTheirVerdicts) {
  const auto rival = [&](const std::string& name, const core::Candidate& candidate) {
    Job job = place_.job(name, "copy");
    job.candidate = candidate;
    job.compare_with = fake_candidate("copy ns=5000000000");
    job.certify_if_faster = true;
    job.rivals = "r";
    job.tune = TuneJob{.most = 32};
    submit(job);
  };
  rival("a", tunable_candidate(1, 4));               // 4 seconds as it was written, 1 at its best
  rival("b", fake_candidate("copy ns=3500000000"));  // the fastest of those that were written
  pack();
  run();
  EXPECT_EQ(starts(), 4);
  import_results(jobs_.path(), results());
  const JobResult tuned = result("a");
  ASSERT_TRUE(tuned.tuning);
  EXPECT_EQ(tuned.tuning->point, (core::Point{{"A", 4}}));
  EXPECT_EQ(tuned.comparison->word, core::Comparison::faster);
  ASSERT_TRUE(tuned.certified);
  EXPECT_EQ(tuned.certified->key.candidate,
            with_defaults(tunable_candidate(1, 4), tuned.tuning->point).hash);
  EXPECT_FALSE(result("b").tuning);
}

TEST_F(BundleTest, OfRivalsOnlyTheFastestIsComparedAndCertified) {
  const auto rival = [&](const std::string& name, const std::string& behaviour) {
    Job job = place_.job(name, behaviour);
    job.compare_with = fake_candidate("copy ns=9000000");
    job.certify_if_faster = true;
    job.rivals = "r";
    submit(job);
  };
  rival("a", "copy ns=3000000");
  rival("b", "copy");
  rival("c", "zeros");
  pack();
  run();
  EXPECT_EQ(starts(), 5) << "three verdicts, and what follows from two of them";
  import_results(jobs_.path(), results());
  EXPECT_EQ(result("b").comparison->word, core::Comparison::faster);
  EXPECT_EQ(result("b").certified->outcome, core::Outcome::accepted);
  EXPECT_EQ(result("a").evaluation->outcome, core::Outcome::accepted);
  EXPECT_FALSE(result("a").comparison);
  EXPECT_THAT(result("a").not_compared, HasSubstr("another candidate"));
  EXPECT_EQ(result("c").evaluation->outcome, core::Outcome::wrong);

  // Ended after the verdicts: they are not made again; the wrong candidate had a result by then.
  auto records = exec::read_records(results(), results_kind, results_format)->all;
  std::erase_if(records, [](const exec::BundleRecord& record) {
    return record.kind == "result" && record.body.find("\"name\":\"c\"") == std::string::npos;
  });
  base::write_file_atomically(results(),
                              exec::write_records(records, results_kind, results_format));
  run();
  EXPECT_EQ(starts(), 7);
  EXPECT_TRUE(bundle_state(read_bundle(bundle()), results()).open.empty());
}

TEST_F(BundleTest, GivesUpAJobThatEndsHoneEveryTime) {
  submit(place_.job("a", "copy"));
  submit(place_.job("b", "copy"));
  const Packed packed = pack();
  {
    exec::RecordLog log(results(), results_kind, results_format);
    log.append("head", head_for(packed.id).body);
    for (int i = 0; i < most_attempts; ++i) log.append("start", "a");
  }
  run();
  import_results(jobs_.path(), results());
  EXPECT_THAT(result("a").error, HasSubstr("3 times"));
  EXPECT_FALSE(result("a").evaluation);
  EXPECT_EQ(result("b").evaluation->outcome, core::Outcome::accepted) << why(result("b"));
}

TEST_F(BundleTest, IsRefusedWhereverAByteOfItWasChanged) {
  submit(place_.job("a", "copy"));
  pack();
  const std::string good = base::read_file(bundle());
  for (std::size_t at = 0; at < good.size(); at += 3) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    EXPECT_FALSE(parse_bundle(bad).ok()) << at;
    EXPECT_FALSE(parse_bundle(good.substr(0, at)).ok()) << at;
  }
  EXPECT_TRUE(parse_bundle(good).ok());
}

TEST_F(BundleTest, ImportsNothingOfADamagedFile) {
  submit(place_.job("a", "copy"));
  submit(place_.job("b", "zeros"));
  pack();
  run();
  const std::string good = base::read_file(results());
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 200) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    base::write_file_atomically(results(), bad);
    EXPECT_NE(error_of([&] { import_results(jobs_.path(), results()); }), "") << at;
    EXPECT_EQ(jobs_.pending().size(), 2u) << at;
  }
  // A copy that was cut short has what it has.
  base::write_file_atomically(results(), good.substr(0, good.size() - 10));
  const Imported imported = import_results(jobs_.path(), results());
  EXPECT_EQ(imported.fresh, 1u);
  EXPECT_TRUE(imported.cut);
  run();
  EXPECT_EQ(import_results(jobs_.path(), results()).fresh, 1u);
}

TEST_F(BundleTest, SaysWhenResultsAreOfAnotherBundleOrVersion) {
  submit(place_.job("a", "copy"));
  pack();
  run();
  const exec::BundleFolder elsewhere(place_.path() / "elsewhere");
  base::make_folder(elsewhere.path());
  EXPECT_THAT(error_of([&] { import_results(elsewhere.path(), results()); }),
              HasSubstr("another bundle"));
  const auto records = exec::read_records(results(), results_kind, results_format);
  base::write_file_atomically(results(),
                              exec::write_records(records->all, results_kind, results_format + 1));
  EXPECT_THAT(error_of([&] { import_results(jobs_.path(), results()); }),
              HasSubstr("version " + std::to_string(results_format + 1)));
  base::write_file_atomically(results(), base::read_file(bundle()));
  EXPECT_NE(error_of([&] { import_results(jobs_.path(), results()); }), "");

  fs::remove(results());
  run();
  submit(place_.job("b", "copy"));
  pack();
  EXPECT_THAT(error_of([&] { run(); }), HasSubstr("another bundle"));
}

TEST_F(BundleTest, IsNotPackedWithATaskThatHasChanged) {
  submit(place_.job("a", "copy"));
  const auto toml = place_.task_folder() / "task.toml";
  base::write_file_atomically(toml, base::read_file(toml) + "# changed\n");
  EXPECT_THAT(error_of([&] { pack(); }), HasSubstr("changed"));
}

TEST_F(BundleTest, FromAStrangerIsRefusedWhereItMakesNoSense) {
  const auto made_of = [](std::vector<exec::BundleRecord> records) {
    records.push_back({"end", ""});
    return parse_bundle(exec::write_records(records, bundle_kind, bundle_format));
  };
  const Job good = place_.job("a", "copy");
  const exec::BundleRecord task{
      "task",
      "{\"hash\":\"" + good.task + "\",\"files\":{\"../../evil\":\"x\",\"task.toml\":\"\"}}"};
  const auto job = [&](auto change) {
    Job changed = good;
    change(changed);
    return exec::BundleRecord{"job", to_text(changed)};
  };
  const auto same = job([](Job&) {});
  ASSERT_TRUE(made_of({task, same}).ok());
  EXPECT_EQ(made_of({task, same})->tasks.at(good.task).count("../../evil"), 0u);
  EXPECT_THAT(made_of({same}).error(), HasSubstr("no task"));
  EXPECT_THAT(made_of({task, same, same}).error(), HasSubstr("one name"));
  EXPECT_FALSE(made_of({task, job([](Job& j) { j.name = "../a"; })}).ok());
  EXPECT_FALSE(made_of({task, job([](Job& j) { j.call_seconds = 1e9; })}).ok());
  EXPECT_FALSE(made_of({task, job([](Job& j) { j.candidate->source = ""; })}).ok());
  EXPECT_FALSE(
      made_of({task, job([](Job& j) { j.candidate->language = core::Language::external; })}).ok());
  EXPECT_FALSE(made_of({{"task", "[]"}, same}).ok());

  // A task that is not what its hash says costs its own jobs only, and is never run.
  base::write_file_atomically(
      bundle(), exec::write_records({task, same, {"end", ""}}, bundle_kind, bundle_format));
  run();
  const auto records = exec::read_records(results(), results_kind, results_format);
  EXPECT_NE(result_from(records->all.back().body)->error, "");
}

}  // namespace
}  // namespace hone::run
