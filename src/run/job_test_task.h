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
#include "task/task_loader.h"

namespace hone::run {

inline core::Candidate fake_candidate(const std::string& behaviour) {
  const std::string source =
      "/* hone 1\n[[launch]]\nkernel = \"run\"\ngrid = [1]\nblock = [1]\nargs = [\"x\", "
      "\"y\"]\n*/\n"
      "kernel run(buffer, buffer) " +
      behaviour + "\n";
  return *task::candidate_from(source, core::Language::fake, "test.fake");
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
    base::make_folder(task_folder());
    base::write_file_atomically(task_folder() / "task.toml", R"(hone = 1
name = "copy"
summary = "Copies a vector."
[[input]]
name = "x"
dtype = "f32"
shape = ["n"]
draw = { kind = "normal", mean = 1.0 }
[[output]]
name = "y"
dtype = "f32"
shape = ["n"]
tolerance = { max = 1e-5, rms = 1e-5 }
[[case]]
name = "odd"
bind = { n = 77 }
use = "check"
[[case]]
name = "timed"
bind = { n = 4096 }
[work]
bytes = "8 * n"
flops = { f32 = "n" }
)");
    base::write_file_atomically(task_folder() / "reference.cc",
                                "#include <hone/reference.h>\nHONE_REFERENCE(call) { "
                                "call.output(\"y\") = call.input(\"x\"); }\n");
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
