// Runs whose kernels are judged in a real Slurm: nodes and workers killed, jobs cancelled, the run
// itself interrupted or killed. A device that the test holds keeps jobs under way for as long as it
// takes, so nothing here depends on how fast anything is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "base/json_probe.h"
#include "cluster_parts.h"
#include "exec/worker_place.h"
#include "nothing_lost.h"
#include "slurm_cluster.h"

namespace hone::end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// One cluster for all tests of this program.
SlurmCluster& cluster() {
  static SlurmCluster all;
  return all;
}

class SlurmRun : public testing::Test {
 protected:
  void SetUp() override {
    if (!cluster().missing().empty()) GTEST_SKIP() << cluster().missing();
    ASSERT_TRUE(cluster().wait_for_nodes(2)) << cluster().logs();
    run_.emplace();
    base::make_folder(leases());
    held_.emplace(leases());
  }
  void TearDown() override {
    if (cluster().missing().empty()) cluster().run({"scancel", "--user=root"});
    if (HasFailure()) std::cout << cluster().logs();
  }

  fs::path leases() const { return run_->lab.hone.folder() / "leases"; }
  std::unique_ptr<Background> start(const std::string& more) const {
    return std::make_unique<Background>(
        run_->lab.hone,
        run_->words("slurm:work,device=fake:1,poll=0.3,spool=" + spools().string() + more));
  }
  fs::path spools() const { return run_->lab.hone.folder() / "spools"; }
  exec::Spool spool() const { return exec::Spool(spools() / run_->id()); }
  // Workers that hold a job, by Slurm's name of their task.
  std::set<std::string> workers_with_jobs() const {
    std::set<std::string> tasks;
    std::error_code ec;
    if (!fs::exists(run_->lab.hone.home() / "archive.db", ec) || run_->id().empty()) return tasks;
    for (const auto& claim : claims_in(spool())) tasks.insert(exec::slurm_task_of(claim));
    return tasks;
  }
  bool wait_for_jobs_on(std::size_t workers) const {
    return until([&] { return workers_with_jobs().size() == workers; });
  }
  static std::string node_of(const std::string& task) {
    std::istringstream lines(cluster().squeue("%i %N"));
    for (std::string id, node; lines >> id >> node;)
      if (id == task) return node;
    return "";
  }
  // The worker that Slurm runs as this task, as this machine numbers it.
  static int process_of(const std::string& task) {
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      try {
        std::string words = base::read_file(entry.path() / "cmdline");
        const auto sign = task.find('_');
        const std::string variables = base::read_file(entry.path() / "environ");
        if (words.find(std::string("worker\0--of-run", 15)) != std::string::npos &&
            variables.find("SLURM_ARRAY_JOB_ID=" + task.substr(0, sign)) != std::string::npos &&
            variables.find("SLURM_ARRAY_TASK_ID=" + task.substr(sign + 1)) != std::string::npos)
          return std::stoi(name);
      } catch (const base::Error&) {
        continue;  // it has ended meanwhile
      }
    }
    return 0;
  }
  void expect_a_good_end(Background& run, int kills = 0) const {
    const auto end = run.finish();
    EXPECT_EQ(end.code, 0) << end.err << end.out;
    expect_nothing_lost_or_done_twice(run_->lab, kills);
    EXPECT_TRUE(spool().waiting().empty());
    expect_no_workers();
  }
  static void expect_no_workers() {
    EXPECT_TRUE(until([] {
      return cluster().squeue("%i %t").find(" R") == std::string::npos &&
             cluster().squeue("%i %t").find(" PD") == std::string::npos;
    })) << cluster().squeue("%i %t");
  }

  std::optional<ClusterRun> run_;
  std::optional<HeldDevice> held_;
};

TEST_F(SlurmRun, GoesOnWhereANodeAWorkerAndAJobAreKilled) {
  auto run = start(",min=2,max=2,lost-after=5");
  ASSERT_TRUE(wait_for_jobs_on(2)) << run->said();
  const auto first = workers_with_jobs();
  const std::string on_dead_node = *first.begin(), to_kill = *first.rbegin();
  const std::string dead = node_of(on_dead_node);
  ASSERT_NE(dead, node_of(to_kill)) << cluster().squeue("%i %t %N");
  cluster().kill_node(dead);
  const int pid = process_of(to_kill);
  ASSERT_GT(pid, 0);
  ::kill(pid, SIGKILL);
  ASSERT_TRUE(until([&] {
    const auto now = workers_with_jobs();
    return !now.empty() && !now.contains(on_dead_node) && !now.contains(to_kill);
  })) << run->said();
  const std::string to_cancel = *workers_with_jobs().begin();
  cluster().run({"scancel", to_cancel});
  ASSERT_TRUE(until([&] {
    const auto now = workers_with_jobs();
    return !now.empty() && !now.contains(to_cancel);
  })) << run->said();
  held_->release();
  ASSERT_TRUE(until([&] { return run->has_ended(); })) << run->said();
  EXPECT_THAT(run->said(), HasSubstr("was lost"));
  EXPECT_THAT(run->said(), HasSubstr("2 running"));
  expect_a_good_end(*run);
  EXPECT_GE(spool().lost().size(), 2u);
  cluster().start_node(dead);
  cluster().run({"scontrol", "update", "nodename=" + dead, "state=resume"});
}

TEST_F(SlurmRun, GoesOnWithItsWorkersWhereItWasKilledItself) {
  auto run = start(",min=1,max=1");
  ASSERT_TRUE(wait_for_jobs_on(1)) << run->said();
  const auto before = workers_with_jobs();
  run->signal(SIGKILL);
  run->finish();
  Background resumed(run_->lab.hone, {"resume", run_->id()});
  ASSERT_TRUE(until([&] { return resumed.said().find("1 running") != std::string::npos; }));
  EXPECT_EQ(workers_with_jobs(), before) << "no other worker was submitted";
  held_->release();
  ASSERT_TRUE(until([&] { return resumed.has_ended(); }));
  expect_a_good_end(resumed, 1);
}

TEST_F(SlurmRun, CancelsItsWorkersWhenItIsInterrupted) {
  auto run = start(",min=2,max=2");
  ASSERT_TRUE(wait_for_jobs_on(2)) << run->said();
  run->signal(SIGINT);
  const auto stopped = run->finish();
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  expect_no_workers();
  EXPECT_TRUE(until([&] { return spool().workers().empty(); }));
  for (const auto& job : spool().waiting()) EXPECT_EQ(job.attempt, 1) << job.name;
  held_->release();
  Background resumed(run_->lab.hone, {"resume", run_->id()});
  ASSERT_TRUE(until([&] { return resumed.has_ended(); }));
  expect_a_good_end(resumed, 1);
}

TEST_F(SlurmRun, EndsItsWorkersByThemselvesWhereNothingResumesIt) {
  auto run = start(",min=1,max=1,lost-after=5");
  ASSERT_TRUE(wait_for_jobs_on(1)) << run->said();
  run->signal(SIGKILL);
  run->finish();
  held_->release();
  expect_no_workers();
  EXPECT_TRUE(spool().waiting().empty()) << "what was submitted was done first";
}

TEST_F(SlurmRun, SaysWhatSbatchSays) {
  const auto refused = run_->lab.hone.run(run_->words("slurm:nowhere,device=fake:1,poll=0.3"));
  EXPECT_EQ(refused.code, 4);
  EXPECT_THAT(refused.err, HasSubstr("invalid partition specified: nowhere"));
  const auto unknown = run_->lab.hone.run(run_->words("slurm:work,poll=0.3,nosuch=1"));
  EXPECT_EQ(unknown.code, 4);
  EXPECT_THAT(unknown.err, HasSubstr("unrecognized option '--nosuch=1'"));
}

TEST_F(SlurmRun, SaysWhyItsWorkersEndOneAfterTheOther) {
  held_->release();
  const auto ended =
      run_->lab.hone.run(run_->words("slurm:work,device=cuda:7,poll=0.1,min=1,max=1"));
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.err, HasSubstr("without having finished a job"));
  EXPECT_THAT(ended.err, HasSubstr("cuda:7"));
  expect_no_workers();
}

}  // namespace
}  // namespace hone::end_to_end
