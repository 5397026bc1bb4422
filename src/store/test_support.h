#pragma once
// For tests and benchmarks only: records with every field set, and work done in a child process.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "store/candidates.h"
#include "store/evaluations.h"

namespace hone::store::testing {

// An archive in a folder of its own, with one task and one candidate.
struct Fixture {
  base::TemporaryFolder folder{"hone-store-test"};
  std::filesystem::path path = folder.path() / "archive.db";
  Archive archive = Archive::open(path);
};

inline TaskRecord a_task(const std::string& name = "softmax", const std::string& version = "1") {
  return {base::sha256_hex("task " + name + version), name, "/home/someone/tasks/" + name,
          "hone = 1\nname = \"" + name + "\"\n"};
}

inline CandidateRecord a_candidate(const std::string& name = "seed.cl",
                                   std::vector<std::string> parents = {}) {
  const std::string source =
      "/* hone 1\n[[launch]]\nkernel = \"f\"\n*/\n__kernel void f() {} // " + name + "\n";
  return {{base::sha256_hex(source), core::Language::opencl, name, "someone", "a note"},
          source,
          std::move(parents)};
}

inline core::CaseResult a_case(const std::string& name) {
  core::CaseResult c;
  c.name = name;
  c.timed = true;
  c.samples = {1.1e-3, 1.2e-3, 1.15e-3};
  c.wall_samples = {1.3e-3, 1.4e-3};
  c.median = 1.15e-3;
  c.interval = {1.1e-3, 1.2e-3};
  c.wall_median = 1.35e-3;
  c.first_call = 9e-3;
  c.bytes = 1.34e8;
  c.flops = 6.7e7;
  c.flops_by_kind = {{"f32", 6.7e7}, {"f64", 0.1}};
  c.bandwidth = 1.17e11;
  c.rate = 5.8e10;
  c.ceiling_fraction = 0.83;
  c.ceiling = "memory";
  c.error_max = 1e-6;
  c.error_rms = 2e-7;
  c.honest_rms = 1.9e-7;
  return c;
}

inline core::Evaluation an_evaluation(const TaskRecord& task, const CandidateRecord& candidate,
                                      core::Point point = {{"BLOCK", 256}, {"VEC", 4}}) {
  core::Evaluation e;
  e.key = {candidate.line.hash,
           std::move(point),
           task.hash,
           "GPU-1234",
           "580.1",
           "nvrtc 13.0",
           1,
           core::Depth::screen,
           {}};
  e.outcome = core::Outcome::accepted;
  e.evidence = {{"lower precision", 26, false, "rows=4096",
                 "The error is 1.1 times an honest kernel's; the limit is 4."}};
  e.cases = {a_case("rows=4096"), a_case("prime")};
  e.metrics = {
      {"power.average", "W", 312.5, "", "rows=4096", std::nullopt, std::nullopt},
      {"build.registers", "1", 48.0, "", "", 0, 17},
      {"clock.sm", "MHz", std::nullopt, "NVML is not here", "", std::nullopt, std::nullopt}};
  e.geomean = 1.15e-3;
  e.build_log = "warning: unused variable\n";
  e.seconds_total = 1.5;
  e.seconds_build = 0.25;
  e.seconds_kernels = 0.5;
  e.seconds_reference = 0.125;
  return e;
}

// The same with two evaluations: a seed that was accepted, and its child, which was wrong, with
// evidence that would clear a terminal.
struct TwoEvaluated : Fixture {
  CandidateRecord seed = a_candidate("seed.cl"), child = a_candidate("child.cl", {seed.line.hash});
  std::string accepted, wrong;

  TwoEvaluated() {
    record_task(archive, a_task());
    record_candidate(archive, seed);
    record_candidate(archive, child);
    accepted = record_evaluation(archive, an_evaluation(a_task(), seed), "H200");
    core::Evaluation evaluation = an_evaluation(a_task(), child);
    evaluation.outcome = core::Outcome::wrong;
    evaluation.geomean.reset();
    evaluation.key.cases = {"prime"};
    evaluation.evidence = {
        {"tolerance", 27, true, "prime", "Element 5 is 1e9.\nThe bound is 2e-5.\x1b[2J"}};
    wrong = record_evaluation(archive, evaluation, "H200");
  }
};

struct ChildReport {
  int status = 0;      // as waitpid gives it
  std::string output;  // what the child wrote to the descriptor it was given
  bool ended_well() const { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }
};

// Runs the work in a child and reads what it reports until it ends, or until `enough` says so: then
// it is killed with SIGKILL.
inline ChildReport in_child(const std::function<void(int report)>& work,
                            const std::function<bool(const std::string&)>& enough = {}) {
  int ends[2];
  if (::pipe(ends) != 0) base::fail(base::ExitCode::environment, "no pipe: {}", base::errno_text());
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    try {
      work(ends[1]);
    } catch (const std::exception& error) {
      const std::string text = error.what();
      if (::write(ends[1], text.data(), text.size()) < 0) ::_exit(3);
      ::_exit(2);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  ChildReport report;
  char buffer[256];
  for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    report.output.append(buffer, static_cast<std::size_t>(n));
    if (enough && enough(report.output)) {
      ::kill(child, SIGKILL);
      break;
    }
  }
  // What it had reported before it died counts too.
  for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    report.output.append(buffer, static_cast<std::size_t>(n));
  ::close(ends[0]);
  ::waitpid(child, &report.status, 0);
  return report;
}

inline void say(int report, const std::string& text) {
  if (::write(report, text.data(), text.size()) != static_cast<ssize_t>(text.size())) ::_exit(3);
}

}  // namespace hone::store::testing
