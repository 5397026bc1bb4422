// The first generation: the seeds of the task and the user, and a direct translation of the reference by the writer
// (the reference itself writes doubles, whatever the task's precision, so it cannot be a member); where that is
// asked for, or nothing of it is accepted, the writer's own first attempts. And the control arm, which is nothing but
// first attempts.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "run/record.h"
#include "run/researcher.h"
#include "task/borrowed_plan.h"
#include "task/candidate_loader.h"

namespace hone::run {

using store::RunState;

namespace {

constexpr const char* no_answers = "no writer gave an answer any more; once one does, `hone resume` goes on";

}  // namespace

void Researcher::seed(const std::string& step, const std::string& source, const std::string& name,
                      const std::string& author) {
  {
    const std::lock_guard lock(mutex_);
    if (population_.by_step(step) != nullptr) return;
  }
  const auto candidate = task::candidate_from(source, language(), name);
  if (!candidate) {
    say(fmt::format("{} cannot be a member of the first generation: {}", name,
                    task::render_with_sources(candidate.error())));
    return;
  }
  add_member({.step = step}, *candidate, author, std::nullopt);
}

void Researcher::first_generation() {
  phase_ = "first generation";
  const auto& task = research_.task;
  const bool cuda = language() == core::Language::cuda, opencl = language() == core::Language::opencl;
  if (writes_python() && task.seed_py) seed("seed/given-seed", *task.seed_py, "seed.py", "the task");
  const auto& given = cuda ? task.seed_cu : task.seed_cl;
  if (cuda || opencl) {
    if (given) seed("seed/given-seed", *given, cuda ? "seed.cu" : "seed.cl", "the task");
  }
  if (task.external)
    for (const auto& own : task.external->seeds) seed("seed/given-" + own.name, own.source, own.name, "the task");
  for (std::size_t i = 0; i < research_.settings.seeds.size(); ++i) {
    const std::filesystem::path path = research_.settings.seeds[i];
    const std::string step = fmt::format("seed/given-{}", i);
    {
      const std::lock_guard lock(mutex_);
      if (population_.by_step(step) != nullptr) continue;
    }
    auto source = task::read_source(path);
    if (source && !task.external && !task::has_plan(*source) && !writes_python()) {
      auto loaded = task::load_candidate_for(task, path);
      if (loaded)
        source = std::move(loaded->candidate.source);
      else
        source = base::Failure{loaded.error()};
    }
    if (!source) base::fail(base::ExitCode::bad_input, "{}", task::render_with_sources(source.error()));
    seed(step, *source, path.filename().string(), "the user");
  }
  std::vector<std::function<void()>> jobs;
  std::vector<int> numbers;
  for (const auto& [number, member] : population_.all())
    if (member.record.generation == 0 && member.record.step.starts_with("seed/given")) numbers.push_back(number);
  for (const int number : numbers) jobs.push_back([this, number] { judge(number); });
  // A translation of Python to Python would be the problem itself: there the first attempts begin.
  const bool translates = research_.settings.strategy == "scientist" && !writes_python() &&
                          (!task.reference_cc.empty() || task.reference_py);
  std::vector<std::pair<std::string, std::function<void()>>> writers;
  const auto add_writer = [&](const std::string& name, const std::string& step, llm::Request question) {
    writers.emplace_back(step, [this, name, step, question = std::move(question)] {
      write({.name = name, .step = step, .tries = research_.settings.tries, .question = question});
    });
  };
  if (translates) add_writer("translator", "seed/translation", agents::ask_translation(mission()));
  int left = places_left();
  if (translates && !ledger_->knows("seed/translation/try-1")) --left;
  for (int attempt = 1; attempt <= research_.settings.attempts; ++attempt) {
    const std::string step = fmt::format("seed/attempt-{}", attempt);
    if (!ledger_->knows(step + "/try-1") && left-- <= 0) continue;  // one that was answered has its place
    add_writer(fmt::format("writer {}", attempt), step, agents::ask_first_attempt(mission(), attempt));
  }
  jobs.push_back([this, &writers] {
    const auto width = static_cast<std::ptrdiff_t>(std::max(1, research_.settings.width));
    for (auto from = writers.begin(); from != writers.end() && !stopping();) {
      const auto to = from + std::min(width, writers.end() - from);
      writers_at_once({from, to});
      from = to;
    }
  });
  all_at_once(jobs);
  if (!away_.empty()) return stop(RunState::away, "candidates are away to be judged");
  if (research_.settings.strategy == "oneshot" && population_.ranking(1).empty())
    return;  // they need none to begin with
  // Nobody has a kernel that works: the writer makes one.
  int unanswered = 0;
  for (int attempt = 1; !stopping() && population_.ranking(1).empty(); ++attempt) {
    if (attempt > research_.settings.tries)
      return stop(RunState::finished, "no first candidate was accepted, whoever wrote it");
    const std::string step = fmt::format("seed/bootstrap-{}", attempt), first = step + "/try-1";
    if (!ledger_->knows(first) && places_left() == 0) return stop(RunState::finished, places_spent());
    write({.name = "writer",
           .step = step,
           .tries = research_.settings.tries,
           .question = agents::ask_first_attempt(mission(), attempt)});
    if (!away_.empty()) return stop(RunState::away, "candidates are away to be judged");
    unanswered = ledger_->knows(first) ? 0 : unanswered + 1;
    if (!stopping() && unanswered >= research_.settings.tries) return stop(RunState::stopped, no_answers);
  }
  if (!stopping()) choose_incumbent(0);
}

// The same budget on independent first attempts: nobody sees what the others did, and nothing goes back.
void Researcher::one_shots() {
  phase_ = "one-shots";
  generation_ = 1;
  const bool counted = research_.settings.budget.candidates > 0;
  const int width = std::max(1, research_.settings.width);
  for (int first = 1; !stopping() && (counted || away_.empty()); first += width) {
    std::vector<std::pair<std::string, std::function<void()>>> jobs;
    int left = places_left();
    for (int attempt = first; attempt < first + width; ++attempt) {
      const std::string step = fmt::format("g001/oneshot-{:03}", attempt);
      if (!ledger_->knows(step + "/try-1") && left-- <= 0) continue;
      jobs.emplace_back(step, [this, attempt, step] {
        write({.generation = 1,
               .name = fmt::format("writer {}", attempt),
               .step = step,
               .tries = 1,
               .question = agents::ask_first_attempt(mission(), attempt)});
      });
    }
    if (jobs.empty()) break;
    writers_at_once(jobs);
    const bool answered =
        std::any_of(jobs.begin(), jobs.end(), [&](const auto& job) { return ledger_->knows(job.first + "/try-1"); });
    if (!answered && !stopping()) return stop(RunState::stopped, no_answers);
  }
  if (!away_.empty()) return stop(RunState::away, "candidates are away to be judged");
  if (!stopping()) stop(RunState::finished, places_spent());
  if (!give_up()) choose_incumbent(1);
}

}  // namespace hone::run
