#include "judge/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "core/roofline.h"
#include "judge/admission_case.h"
#include "judge/doubt.h"
#include "judge/judge.h"
#include "judge/lease.h"
#include "judge/since.h"
#include "task/candidate_loader.h"

namespace hone::judge {
namespace {

using Verdict = AdmissionCheck::Verdict;

// Larger cases find nothing that smaller ones do not, and the examination needs several times their
// memory.
constexpr std::uint64_t largest_entry = 768u << 20;
constexpr std::int64_t usual_tile = 16;
// Changing one element at a time takes many calls of the reference: only on the smallest cases, and
// if a call is fast.
constexpr std::size_t single_element_cases = 3;
constexpr double fast_reference_seconds = 0.05;
// An output of fewer elements may agree with a false answer by chance, so such cases are examined
// several times.
constexpr std::int64_t few_elements = 16;
constexpr int draws_of_few_elements = 3;
// The time that an examination is assumed to take for each unit of weight until a case has been
// timed: about fifteen calls of a reference that does a few operations in a nanosecond.
constexpr double assumed_seconds_per_weight = 5e-9;

struct Examination {
  Examination(const core::Task& task_, const core::DeviceInfo& info_,
              const AdmissionOptions& options_)
      : task(task_),
        info(info_),
        options(options_),
        ops(device::open_tensor_ops(info)),
        truth(task, info, *ops, options.unsafe),
        deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double>(options.all_seconds))) {
    truth.limit().deadline = deadline;
    truth.limit().say = options.progress;
  }

  core::Task task;
  core::DeviceInfo info;
  const AdmissionOptions& options;
  std::unique_ptr<device::TensorOps> ops;
  Secrets secrets{true};
  Truth truth;
  Clock::time_point deadline;
  bool reference_too_slow = false;  // larger cases take longer still, and the seed cannot be judged
  Admission admission;
  std::map<std::string, bool> with_single_elements;  // by case
  double single_element_seconds =
      0;  // in the case that is being examined; larger cases skip that check
};

// How much work the case is for a reference. Only ratios of weights are used.
double weight(const core::Task& task, const core::Case& which) {
  double work = static_cast<double>(Pool::entry_bytes(task, which));
  for (const auto& [kind, formula] : task.work.flops)
    if (const auto flops = formula.evaluate(which.bindings)) work += static_cast<double>(*flops);
  return work;
}

AdmissionCheck& add_task_check(Admission& admission, const std::string& name) {
  AdmissionCheck& check = admission.checks.emplace_back();
  check.name = name;
  return check;
}

void add_failed(Admission& admission, const std::string& name, const std::string& case_name,
                const std::string& text) {
  AdmissionCheck& check = add_task_check(admission, name);
  check.verdict = Verdict::failed;
  check.case_name = case_name;
  check.text = text;
}

void check_sizes(const core::Task& task, Admission& admission) {
  bool any = false, any_odd = false;
  for (const auto& which : task.cases)
    for (const auto& [name, value] : which.bindings) {
      any = true;
      any_odd = any_odd || value % usual_tile != 0;
    }
  AdmissionCheck& check = add_task_check(admission, "odd sizes among the cases");
  check.row = 30;
  if (!any || any_odd) return;
  check.verdict = Verdict::doubtful;
  check.text = fmt::format(
      "every size of every case is a multiple of {}: a kernel that does not mask its last tile "
      "would be accepted. Add a case with odd or prime sizes (use = \"check\")",
      usual_tile);
}

void note_own_check(const core::Task& task, Admission& admission) {
  if (!task.own_check) return;
  for (const auto& note : task.own_check->notes) admission.notes.push_back(note);
  if (!task.own_check->unique)
    admission.notes.emplace_back(
        "there is no one right answer: the problem's own check_implementation alone decides "
        "whether results are right");
}

// The cases that can be examined here, the smallest first.
std::vector<const core::Case*> cases_by_weight(const Examination& examination) {
  const core::Task& task = examination.task;
  const bool device = examination.options.device;
  std::vector<const core::Case*> cases;
  for (const auto& which : task.cases)
    if (device ? core::is_for(which, examination.info) : !which.device_reference)
      cases.push_back(&which);
  std::stable_sort(cases.begin(), cases.end(), [&](const core::Case* a, const core::Case* b) {
    return weight(task, *a) < weight(task, *b);
  });
  if (cases.empty())
    base::fail(base::ExitCode::bad_input, "task {} has no case {}", task.name,
               device ? "for " + examination.info.id
                      : "that the C++ reference can do, and there is no device here");
  return cases;
}

// One draw of the case, and all checks of it.
Admission examine_once(Examination& examination, const core::Case& which) {
  Truth& truth = examination.truth;
  CaseExamination examined(examination.task, which, *examination.ops, truth, examination.secrets);
  check_spread(examined);
  check_false_answers(examined);
  check_ignored_inputs(examined);
  const double before = truth.seconds();
  check_changed_elements(examined);
  const double reference_seconds =
      (truth.seconds() - before) /
      static_cast<double>(std::max<std::size_t>(1, examination.task.inputs.size()));
  // Decided once for each case, so that all of its draws have the same checks.
  const bool fast = examination.admission.cases.size() <= single_element_cases &&
                    reference_seconds < fast_reference_seconds;
  if (examination.with_single_elements.try_emplace(which.name, fast).first->second) {
    const auto start = Clock::now();
    check_single_elements(examined);
    examination.single_element_seconds += since(start);
  }
  check_precision(examined);
  return std::move(examined.found);
}

// Of each check the one with the median verdict. All draws have the same checks.
std::vector<AdmissionCheck> median_checks(const std::vector<Admission>& draws) {
  std::vector<AdmissionCheck> medians;
  for (std::size_t i = 0; i < draws[0].checks.size(); ++i) {
    std::vector<AdmissionCheck> same;
    for (const auto& draw : draws) same.push_back(draw.checks.at(i));
    std::sort(same.begin(), same.end(), [](const AdmissionCheck& a, const AdmissionCheck& b) {
      return a.verdict < b.verdict;
    });
    medians.push_back(same[same.size() / 2]);
  }
  return medians;
}

int draws_for(const core::Task& task, const core::Case& which) {
  for (const auto& output : task_shapes(task, which).outputs)
    if (static_cast<std::int64_t>(output.bytes / core::size_of(output.dtype)) < few_elements)
      return draws_of_few_elements;
  return 1;
}

void examine_case(Examination& examination, const core::Case& which,
                  const std::string& expectation = "") {
  Admission& admission = examination.admission;
  examination.options.progress(fmt::format("examining case {}{}", which.name, expectation));
  admission.cases.push_back(which.name);
  examination.single_element_seconds = 0;
  std::vector<Admission> draws;
  const int count = draws_for(examination.task, which);
  const auto failed = task_error([&] {
    try {
      for (int i = 0; i < count; ++i) draws.push_back(examine_once(examination, which));
    } catch (const runner::TooSlow&) {
      examination.reference_too_slow = true;
      throw;
    }
  });
  if (failed) {
    examination.options.failed(fmt::format("case {} fails: {}", which.name, *failed));
    return add_failed(admission, "reference", which.name, *failed);
  }
  for (auto& check : median_checks(draws)) admission.checks.push_back(std::move(check));
}

// Why a case is left out, given the time it is expected to take; "" if it is not.
std::string reason_to_skip(Examination& examination, const core::Case& which, double spent,
                           double expected) {
  const std::uint64_t bytes = Pool::entry_bytes(examination.task, which);
  if (bytes > largest_entry || 3 * bytes > examination.ops->free_bytes())
    return fmt::format("its tensors take {} MiB", bytes >> 20);
  if (spent + expected > examination.options.seconds)
    return fmt::format("it would take about {:.0f} s more, and {:.0f} s were given (--max-seconds)",
                       expected, examination.options.seconds);
  return "";
}

// Examines the smallest case always, and of the others as many as memory and time allow.
void examine_cases(Examination& examination) {
  const auto cases = cases_by_weight(examination);
  // The first case includes compiling the reference and starting its process: its time is taken as
  // the fixed cost of a case.
  auto start = Clock::now();
  examine_case(examination, *cases[0]);
  const double fixed_seconds = since(start) - examination.single_element_seconds;
  double seconds_per_weight = assumed_seconds_per_weight;
  start = Clock::now();
  for (std::size_t i = 1; i < cases.size(); ++i) {
    const core::Case& which = *cases[i];
    if (examination.reference_too_slow) {
      examination.admission.notes.push_back(fmt::format(
          "case {} was not examined: the reference is too slow for a smaller one", which.name));
      continue;
    }
    const double case_weight = weight(examination.task, which);
    if (const auto why =
            reason_to_skip(examination, which, since(start), seconds_per_weight * case_weight);
        !why.empty()) {
      examination.admission.notes.push_back(
          fmt::format("case {} was not examined: {}; the smaller ones were", which.name, why));
      continue;
    }
    const auto began = Clock::now();
    const double expected = fixed_seconds + seconds_per_weight * case_weight;
    examine_case(examination, which,
                 expected > 10 ? fmt::format(", which takes about {:.0f} s", expected) : "");
    const double seconds = since(began) - examination.single_element_seconds;
    if (seconds > 2 * fixed_seconds) seconds_per_weight = (seconds - fixed_seconds) / case_weight;
  }
}

bool is_timed(const core::Task& task, const std::string& case_name) {
  return std::any_of(task.cases.begin(), task.cases.end(), [&](const core::Case& which) {
    return which.name == case_name && which.timed;
  });
}

// A case of one element, for example, is worth checking although a copy of an input passes it. A
// case that is checked but not timed may therefore let a false answer pass if another case detects
// it; a timed case must detect it itself.
void forgive_check_only_cases(const core::Task& task, Admission& admission) {
  std::map<std::string, std::string> forgiven;  // names of checks, by case
  for (auto& check : admission.checks) {
    if (check.verdict == Verdict::ok || !check.one_case_suffices || is_timed(task, check.case_name))
      continue;
    const bool detected = std::any_of(
        admission.checks.begin(), admission.checks.end(), [&](const AdmissionCheck& other) {
          return other.verdict == Verdict::ok && other.name == check.name &&
                 other.output == check.output;
        });
    if (!detected) continue;
    check.verdict = Verdict::ok;
    check.forgiven = true;
    std::string& names = forgiven[check.case_name];
    names += (names.empty() ? "" : "; ") + check.name;
  }
  for (const auto& [case_name, names] : forgiven)
    admission.notes.push_back(
        fmt::format("case {} lets through what other cases stop: {}", case_name, names));
}

void check_device_reference(Examination& examination) {
  const core::Task& task = examination.task;
  const core::Language language = examination.info.language;
  const auto& source = language == core::Language::cuda ? task.reference_cu : task.reference_cl;
  if (!source || language == core::Language::fake) return;
  examination.options.progress("comparing the device reference with reference.cc");
  const std::string name = "device reference agrees with reference.cc";
  if (const auto failed = task_error([&] { examination.truth.check_device_reference(); }))
    add_failed(examination.admission, name, "", *failed);
  else
    add_task_check(examination.admission, name);
}

std::string convictions_in(const core::Evaluation& evaluation) {
  std::string text;
  for (const auto& evidence : evaluation.evidence)
    if (evidence.convicts)
      text += fmt::format("{}{}{}", text.empty() ? "" : "; ",
                          evidence.case_name.empty() ? "" : "case " + evidence.case_name + ": ",
                          evidence.text);
  return text;
}

core::Evaluation judged_in_time(const Examination& examination, const core::Candidate& seed) {
  JudgeOptions judging;
  judging.unsafe = examination.options.unsafe;
  judging.deadline = examination.deadline;
  judging.progress = [&](const std::string& text) {  // at every case and step
    if (Clock::now() >= examination.deadline)
      examination.truth.limit().fail("judging " + seed.name);
    examination.options.progress(text);
  };
  Judge judge(examination.task, examination.info, judging);
  return evaluate_twice_if_undecided(judge, seed, {});
}

// The judge must accept the task's own seed.
void check_seed(Examination& examination) {
  const core::Task& task = examination.task;
  const core::DeviceInfo& info = examination.info;
  Admission& admission = examination.admission;
  const bool cuda = info.language == core::Language::cuda;
  const auto& own = cuda ? task.seed_cu : task.seed_cl;
  const bool python = !own && task.seed_py && task.interface;
  const auto& source = python ? task.seed_py : own;
  const std::string name = python ? "seed.py" : cuda ? "seed.cu" : "seed.cl";
  if (python && !cuda && task.seed_py->find("import triton") != std::string::npos) {
    admission.notes.push_back(
        fmt::format("seed.py uses Triton, which {} has not: it was not judged", info.id));
    return;
  }
  if (!source || info.language == core::Language::fake) {
    admission.notes.push_back(fmt::format("there is no seed for {}", info.id));
    return;
  }
  const std::string check_name = name + " is accepted";
  auto candidate =
      task::candidate_from(*source, python ? core::Language::python : info.language, name);
  if (!candidate)
    return add_failed(admission, check_name, "", task::render_with_sources(candidate.error()));
  examination.options.progress(fmt::format("judging {}", name));
  core::Evaluation evaluation;
  try {
    evaluation = judged_in_time(examination, *candidate);
  } catch (const runner::TooSlow& slow) {
    AdmissionCheck& check = add_task_check(admission, check_name);
    check.verdict = slow.deadline() ? Verdict::doubtful : Verdict::failed;
    check.text = slow.what();
    return;
  }
  if (evaluation.outcome == core::Outcome::undecided) {  // it says nothing about the task
    AdmissionCheck& check = add_task_check(admission, check_name);
    check.verdict = Verdict::doubtful;
    check.text = fmt::format("the judge is undecided: {}", convictions_in(evaluation));
    return;
  }
  if (evaluation.outcome != core::Outcome::accepted)
    return add_failed(admission, check_name, "",
                      fmt::format("the judge says {}: {}", core::name_of(evaluation.outcome),
                                  convictions_in(evaluation)));
  add_task_check(admission, check_name);
}

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

Admission admit(const core::Task& task, const core::DeviceInfo& info,
                const AdmissionOptions& options) {
  Examination examination(task, info, options);
  check_sizes(task, examination.admission);
  note_own_check(task, examination.admission);
  {
    std::optional<Lease> lease;  // measurements of other processes must not be disturbed
    if (options.device) {
      // If the reference cannot be started, the examination of the first case reports it.
      (void)task_error([&] { examination.truth.get_ready(); });
      lease.emplace(info, options.progress, examination.deadline);
      check_device_reference(examination);
    }
    examine_cases(examination);
  }
  forgive_check_only_cases(task, examination.admission);
  const bool without_truth =  // the seed's judgement would end in the same failure, as an error
      examination.reference_too_slow ||
      (task.function &&
       std::any_of(examination.admission.checks.begin(), examination.admission.checks.end(),
                   [](const AdmissionCheck& check) { return check.name == "reference"; }));
  if (options.device && !without_truth) check_seed(examination);
  return std::move(examination.admission);
}

}  // namespace hone::judge
