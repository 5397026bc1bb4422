#pragma once
// A task for the fake device, in a folder of its own, and sources for it: what tests of jobs and
// bundles work on.
#include <stdlib.h>

#include <stdexcept>
#include <string>

#include "base/files.h"
#include "judge/selftest.h"
#include "run/job.h"
#include "task/candidate_loader.h"
#include "task/copy_task_example.h"
#include "task/task_loader.h"

namespace hone::run {

inline core::Candidate fake_candidate(const std::string& behaviour) {
  const std::string source =
      task::example::copy_plan + ("kernel run(buffer, buffer) " + behaviour) + "\n";
  return *task::candidate_from(source, core::Language::fake, "test.fake");
}

// Seconds of the fake's clock: 1 at A = `best`, one more for each step of A away from it.
inline core::Candidate tunable_candidate(int standard, int best,
                                         const std::string& values = "1, 2, 4, 8",
                                         const std::string& more = "") {
  const std::string source =
      "/* hone 1\n[tune]\nA = { values = [" + values + "], default = " + std::to_string(standard) +
      " }\n[[launch]]\nkernel = \"run\"\ngrid = [1]\nblock = [1]\nargs = [\"x\", \"y\"]\n*/\n" +
      "kernel run(buffer, buffer) copy ns=1000000000*(1+max(A-" + std::to_string(best) + "," +
      std::to_string(best) + "-A))" + more + "\n";
  return *task::candidate_from(source, core::Language::fake, "tunable.fake");
}

inline std::string fake_probe(const std::string& behaviour) {
  return "/* hone 1\n# // labels: first, second one\n[[launch]]\nkernel = \"run\"\ngrid = "
         "[1]\nblock = [1]\n"
         "args = [\"numbers\"]\n*/\nkernel run(buffer) " +
         behaviour + "\n";
}

inline judge::JudgeOptions quick_judging() {
  judge::JudgeOptions options;
  options.guards = judge::without_clock();  // a busy machine must not decide what is tested
  options.call_seconds = 60;
  options.sampling = judge::SamplingRule{7, 9, 0.05, 0.2};
  return options;
}

class FakeTask {
 public:
  FakeTask() : folder_("hone-work-test") {
    ::setenv("HONE_HOME", home().c_str(), 1);
    task::example::write_copy_task(task_folder());
    auto loaded = task::load_task(task_folder());
    if (!loaded) throw std::runtime_error(task::render_with_sources(loaded.error()));
    task_ = *std::move(loaded);
  }

  const core::Task& task() const { return task_; }
  std::filesystem::path task_folder() const { return folder_.path() / "copy"; }
  const std::filesystem::path& path() const { return folder_.path(); }

  Job job(const std::string& name, const std::string& behaviour) const {
    Job job;
    job.name = name;
    job.task_folder = task_folder();
    job.task = task_.hash;
    job.candidate = fake_candidate(behaviour);
    return job;
  }

 private:
  // One for all: the reference is compiled once.
  static std::filesystem::path home() {
    static const base::TemporaryFolder folder("hone-work-test-home");
    return folder.path();
  }

  base::TemporaryFolder folder_;
  core::Task task_;
};

}  // namespace hone::run
