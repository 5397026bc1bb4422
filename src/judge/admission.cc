#include "judge/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "core/roofline.h"
#include "judge/admission_case.h"
#include "judge/judge.h"
#include "judge/lease.h"
#include "judge/since.h"
#include "task/candidate_loader.h"

namespace hone::judge {
namespace {

using Verdict = AdmissionCheck::Verdict;

// Larger cases show nothing that smaller ones do not, and take memory several times over.
constexpr std::uint64_t largest_entry = 768u << 20;
constexpr std::int64_t usual_tile = 16;
// One element at a time is many calls of the reference: only on the smallest cases, and where each call is quick.
constexpr std::size_t element_cases = 3;
constexpr double quick_reference = 0.05;
constexpr std::int64_t few_elements = 16;
// Until a case has been timed: some fifteen calls of a reference that does a few operations in a nanosecond.
constexpr double assumed_seconds = 5e-9;

// How much work the case is for a reference, in no unit: only ratios are used.
double weight(const core::Task& task, const core::Case& which) {
  double work = static_cast<double>(Pool::entry_bytes(task, which));
  for (const auto& [kind, formula] : task.work.flops)
    if (const auto flops = formula.evaluate(which.bindings)) work += static_cast<double>(*flops);
  return work;
}

void check_sizes(const core::Task& task, Admission& admission) {
  bool any_odd = false, any = false;
  for (const auto& which : task.cases)
    for (const auto& [name, value] : which.bindings) {
      any = true;
      any_odd = any_odd || value % usual_tile != 0;
    }
  AdmissionCheck check;
  check.row = 30;
  check.name = "odd sizes among the cases";
  if (any && !any_odd) {
    check.verdict = Verdict::doubtful;
    check.text = fmt::format(
        "every size of every case is a multiple of {}: a kernel that does not mask its last tile would be accepted. "
        "Add a case with odd or prime sizes (use = \"check\")",
        usual_tile);
  }
  admission.checks.push_back(std::move(check));
}

class Examiner {
 public:
  Examiner(const core::Task& task, const core::DeviceInfo& info, const AdmissionOptions& options)
      : task_(task),
        info_(info),
        options_(options),
        bench_(device::open_workbench(info)),
        secrets_(true),
        truth_(task_, info_, *bench_, options.unsafe) {}

  Admission run() {
    check_sizes(task_, admission_);
    note_own_check();
    {
      std::optional<Lease> lease;  // whoever measures there is not disturbed
      if (options_.device) {
        try {
          truth_.get_ready();
        } catch (const base::Error& error) {
          if (error.code() != base::ExitCode::bad_input) throw;  // the first case says what is wrong with it
        }
        lease.emplace(info_, options_.progress);
        device_reference();
      }
      examine_cases();
    }
    forgive_edges();
    if (options_.device) seed();
    return std::move(admission_);
  }

 private:
  void note_own_check() {
    if (!task_.own_check) return;
    for (const auto& note : task_.own_check->notes) admission_.notes.push_back(note);
    if (!task_.own_check->unique)
      admission_.notes.emplace_back(
          "there is no one right answer: the problem's own check_implementation alone decides whether results are "
          "right");
  }

  // The smallest first, and it in any case; then as many as memory and time allow.
  void examine_cases() {
    auto start = Clock::now();
    double seconds_per_weight = assumed_seconds, first_seconds = 0;
    for (const core::Case* which : cases()) {
      const bool first = admission_.cases.empty();
      const double heavy = weight(task_, *which), expected = seconds_per_weight * heavy;
      const std::uint64_t bytes = Pool::entry_bytes(task_, *which);
      if (!first && (bytes > largest_entry || 3 * bytes > bench_->free_bytes())) {
        leave_out(*which, fmt::format("its tensors take {} MiB", bytes >> 20));
        continue;
      }
      if (!first && since(start) + expected > options_.seconds) {
        leave_out(*which, fmt::format("it would take about {:.0f} s more, and {:.0f} s were given (--max-seconds)",
                                      expected, options_.seconds));
        continue;
      }
      const auto began = Clock::now();
      element_seconds_ = 0;
      examine(*which);
      const double took = since(began) - element_seconds_;
      if (first) {  // which includes compiling the reference and starting its process
        first_seconds = took;
        start = Clock::now();
      } else if (took > 2 * first_seconds) {
        seconds_per_weight = (took - first_seconds) / heavy;
      }
    }
  }

  std::vector<const core::Case*> cases() const {
    std::vector<const core::Case*> mine;
    for (const auto& which : task_.cases)
      if (options_.device ? core::is_for(which, info_) : !which.device_reference) mine.push_back(&which);
    std::stable_sort(mine.begin(), mine.end(), [this](const core::Case* a, const core::Case* b) {
      return weight(task_, *a) < weight(task_, *b);
    });
    if (mine.empty())
      base::fail(base::ExitCode::bad_input, "task {} has no case {}", task_.name,
                 options_.device ? "for " + info_.id : "that the C++ reference can do, and there is no device here");
    return mine;
  }

  void leave_out(const core::Case& which, const std::string& why) {
    admission_.notes.push_back(fmt::format("case {} was not examined: {}; the smaller ones were", which.name, why));
  }

  // An output of few elements may agree with a false answer by luck, so such cases are examined three times.
  void examine(const core::Case& which) {
    options_.progress(fmt::format("examining case {}", which.name));
    admission_.cases.push_back(which.name);
    std::int64_t fewest = few_elements;
    for (const auto& output : task_shapes(task_, which).outputs)
      fewest = std::min(fewest, static_cast<std::int64_t>(output.bytes / core::size_of(output.dtype)));
    try {
      std::vector<Admission> draws;
      for (int i = 0; i < (fewest < few_elements ? 3 : 1); ++i) draws.push_back(examine_once(which));
      for (std::size_t i = 0; i < draws[0].checks.size(); ++i) {
        std::vector<AdmissionCheck> same;
        for (const auto& draw : draws) same.push_back(draw.checks.at(i));
        std::sort(same.begin(), same.end(),
                  [](const AdmissionCheck& a, const AdmissionCheck& b) { return a.verdict < b.verdict; });
        admission_.checks.push_back(same[same.size() / 2]);
      }
    } catch (const base::Error& error) {
      if (error.code() != base::ExitCode::bad_input) throw;
      failed(0, "reference", which.name, error.what());
    }
  }

  Admission examine_once(const core::Case& which) {
    Admission found;
    CaseExamination examination(task_, which, *bench_, truth_, secrets_, found);
    examination.spread();
    examination.false_answers();
    examination.ignored_inputs();
    const double before = truth_.seconds();
    examination.changed_elements();
    const double each =
        (truth_.seconds() - before) / static_cast<double>(std::max<std::size_t>(1, task_.inputs.size()));
    // Decided once for each case, so that its draws have the same checks.
    const bool quick = admission_.cases.size() <= element_cases && each < quick_reference;
    if (quick_.try_emplace(which.name, quick).first->second) {
      const auto start = Clock::now();
      examination.single_elements();
      element_seconds_ += since(start);
    }
    examination.precision();
    return found;
  }

  // A case of one element, say, is worth checking although every copy passes it. What goes through on a case that is
  // only checked is forgiven where another case stops it; what is timed must stop it itself.
  void forgive_edges() {
    std::map<std::string, std::string> forgiven;  // by case
    for (auto& check : admission_.checks) {
      if (check.verdict == Verdict::ok || !check.one_case_will_do || is_timed(check.case_name)) continue;
      const bool stopped =
          std::any_of(admission_.checks.begin(), admission_.checks.end(), [&](const AdmissionCheck& other) {
            return other.verdict == Verdict::ok && other.name == check.name && other.output == check.output;
          });
      if (!stopped) continue;
      check.verdict = Verdict::ok;
      check.forgiven = true;
      std::string& list = forgiven[check.case_name];
      list += (list.empty() ? "" : "; ") + check.name;
    }
    for (const auto& [name, list] : forgiven)
      admission_.notes.push_back(fmt::format("case {} lets through what other cases stop: {}", name, list));
  }

  bool is_timed(const std::string& name) const {
    return std::any_of(task_.cases.begin(), task_.cases.end(),
                       [&](const core::Case& which) { return which.name == name && which.timed; });
  }

  void failed(int row, const std::string& name, const std::string& case_name, const std::string& text) {
    AdmissionCheck check;
    check.verdict = Verdict::failed;
    check.row = row;
    check.name = name;
    check.case_name = case_name;
    check.text = text;
    admission_.checks.push_back(std::move(check));
  }

  void device_reference() {
    const auto& source = info_.language == core::Language::cuda ? task_.reference_cu : task_.reference_cl;
    if (!source || info_.language == core::Language::fake) return;
    options_.progress("comparing the device reference with reference.cc");
    try {
      truth_.check_device_reference();
      AdmissionCheck check;
      check.name = "device reference agrees with reference.cc";
      admission_.checks.push_back(std::move(check));
    } catch (const base::Error& error) {
      if (error.code() != base::ExitCode::bad_input) throw;
      failed(0, "device reference agrees with reference.cc", "", error.what());
    }
  }

  void seed() {
    const auto& source = info_.language == core::Language::cuda ? task_.seed_cu : task_.seed_cl;
    const std::string name = info_.language == core::Language::cuda ? "seed.cu" : "seed.cl";
    if (!source || info_.language == core::Language::fake) {
      admission_.notes.push_back(fmt::format("there is no seed for {}", info_.id));
      return;
    }
    auto candidate = task::candidate_from(*source, info_.language, name);
    if (!candidate) return failed(0, name + " is accepted", "", task::render_with_sources(candidate.error()));
    options_.progress(fmt::format("judging {}", name));
    JudgeOptions judging;
    judging.unsafe = options_.unsafe;
    judging.progress = options_.progress;
    Judge judge(task_, info_, judging);
    const auto evaluation = judge.evaluate(*candidate, {});
    if (evaluation.outcome != core::Outcome::accepted) {
      std::string why;
      for (const auto& evidence : evaluation.evidence)
        if (evidence.convicts)
          why += fmt::format("{}{}{}", why.empty() ? "" : "; ",
                             evidence.case_name.empty() ? "" : "case " + evidence.case_name + ": ", evidence.text);
      return failed(0, name + " is accepted", "",
                    fmt::format("the judge says {}: {}", core::name_of(evaluation.outcome), why));
    }
    AdmissionCheck check;
    check.name = name + " is accepted";
    admission_.checks.push_back(std::move(check));
  }

  core::Task task_;
  core::DeviceInfo info_;
  const AdmissionOptions& options_;
  std::unique_ptr<device::Workbench> bench_;
  Secrets secrets_;
  Truth truth_;
  Admission admission_;
  std::map<std::string, bool> quick_;  // by case
  double element_seconds_ = 0;         // on one element at a time, which larger cases do without
};

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::doubtful:
      return "doubtful";
    default:
      return "failed";
  }
}

bool has_case_for(const core::Task& task, const core::DeviceInfo& info) {
  return std::any_of(task.cases.begin(), task.cases.end(),
                     [&](const core::Case& which) { return core::is_for(which, info); });
}

bool Admission::admitted() const {
  return std::none_of(checks.begin(), checks.end(),
                      [](const AdmissionCheck& check) { return check.verdict == Verdict::failed; });
}

Admission admit(const core::Task& task, const core::DeviceInfo& info, const AdmissionOptions& options) {
  return Examiner(task, info, options).run();
}

}  // namespace hone::judge
