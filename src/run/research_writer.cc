// Writers: from a question to a judged candidate, with what went wrong going back to the model.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "agents/individual_text.h"
#include "agents/python_text.h"
#include "agents/text.h"
#include "base/error.h"
#include "run/record.h"
#include "run/researcher.h"
#include "store/candidates.h"
#include "store/findings.h"
#include "task/candidate_loader.h"
#include "task/plan_parser.h"

namespace hone::run {

using core::Outcome;
using nlohmann::json;
using store::RunState;

namespace {

// After these no other answer can be expected from the model in this run.
bool ends_the_run(llm::FaultKind kind) {
  return kind == llm::FaultKind::over_budget || kind == llm::FaultKind::rejected || kind == llm::FaultKind::exhausted ||
         kind == llm::FaultKind::cancelled;
}

// What is wrong with a source before anything is built: it does not parse, or does not fit the task. "": nothing.
std::string complaint_about(const base::Result<core::Candidate, task::Diagnostics>& candidate, const core::Task& task,
                            const std::string& source) {
  if (!candidate) return base::render(candidate.error(), source);
  core::Plan plan = candidate->plan;
  if (candidate->language == core::Language::external || candidate->language == core::Language::python) return "";
  const auto problems = task::check_plan(plan, task, candidate->name);
  return problems.empty() ? "" : base::render(problems, source);
}

}  // namespace

core::Candidate named(const Member& member) {
  core::Candidate candidate = member.candidate;
  const auto dot = candidate.name.rfind('.');
  candidate.name = member_name(member.record.number) + (dot == std::string::npos ? "" : candidate.name.substr(dot));
  return candidate;
}

std::optional<llm::Reply> Researcher::ask(const std::string& role, const std::string& name, const llm::Request& request,
                                          bool* nothing_left) {
  if (stopping() && !ledger_->knows(request.step)) return std::nullopt;
  doing(name, "is asked");
  const RoleModel& model = research_.models.at(role);
  if (!ledger_->knows(request.step)) note(fmt::format("{} asks {}: {}", name, model.client->name(), request.step));
  const auto answered = ledger_->ask(model, request, [&](const std::string& text) {
    note(fmt::format("{}: {}", name, text));
    doing(name, text);
  });
  doing(name, "");
  if (answered) return *answered;
  const auto& fault = answered.error();
  if (give_up()) {
    stop(RunState::stopped, "it was interrupted");
  } else if (fault.kind == llm::FaultKind::over_budget || fault.kind == llm::FaultKind::exhausted) {
    if (nothing_left != nullptr)
      *nothing_left = true;
    else
      stop(RunState::finished, fault.text);
  } else if (ends_the_run(fault.kind)) {
    stop(RunState::stopped, fault.text);
  } else {
    say(fmt::format("{}: no answer to {} ({}): {}", name, request.step, llm::name_of(fault.kind), fault.text));
  }
  return std::nullopt;
}

int Researcher::places_left() {
  const int allowed = research_.settings.budget.candidates;
  const std::lock_guard lock(mutex_);
  return allowed == 0 ? std::numeric_limits<int>::max() : std::max(0, allowed - candidates_);
}

// No room ends no run by itself: what was written is judged and learned from first.
bool Researcher::room_for_a_candidate() {
  const int allowed = research_.settings.budget.candidates;
  const std::lock_guard lock(mutex_);
  if (allowed != 0 && candidates_ >= allowed) return false;
  ++candidates_;
  return true;
}

void Researcher::unusable(const std::string& step, const std::string& why) {
  ledger_->with([&](store::Archive& archive) {
    store::decide_once(archive, run_, step + "/unusable",
                       json{{"why", why}}.dump(-1, ' ', false, json::error_handler_t::replace));
  });
}

int Researcher::add_member(const store::MemberRecord& record, const core::Candidate& candidate,
                           const std::string& author, const std::optional<agents::Experiment>& experiment) {
  store::MemberRecord numbered = record;
  const std::lock_guard lock(mutex_);
  std::vector<std::string> parents;
  for (const auto& parent : {record.basis, record.reference})
    if (parent)
      if (const Member* member = population_.find(*parent);
          member != nullptr && member->candidate.hash != candidate.hash)
        parents.push_back(member->candidate.hash);
  numbered.candidate = candidate.hash;
  numbered.number = ledger_->with([&](store::Archive& archive) {
    store::Batch batch(archive);
    record_candidate(archive, candidate, {parents, author, "run " + run_ + ", " + record.step});
    const int number = store::record_member(archive, run_, numbered);
    batch.commit();
    return number;
  });
  Member member{.record = numbered, .candidate = candidate, .experiment = experiment};
  // The same source was judged before in this run: nothing is gained by judging it again.
  for (const auto& [number, other] : population_.all())
    if (other.candidate.hash == candidate.hash && other.evaluation && other.evaluation->outcome != Outcome::undecided) {
      member.evaluation = other.evaluation;
      member.evaluation_id = other.evaluation_id;
      ledger_->with([&](store::Archive& archive) {
        store::link_evaluation(archive, run_, numbered.number, other.evaluation_id);
      });
      break;
    }
  population_.add(std::move(member));
  return numbered.number;
}

void Researcher::judge(int number) {
  JudgeRequest request;
  {
    const std::lock_guard lock(mutex_);
    const Member& member = *population_.find(number);
    if (member.evaluation) return;
    request.candidate = named(member);
    request.name = fmt::format("{}-{}-screen", run_, member_name(number));
    // It may be a basis one day, and another journey would be a long way for one profile.
    request.explain =
        research_.evaluator.away() && research_.settings.feedback != "none" && research_.settings.strategy != "oneshot";
    if (const auto best = population_.leader(member.record.generation)) {
      const Member& incumbent = *population_.find(*best);
      request.incumbent = named(incumbent);
      request.incumbent_seconds = incumbent.seconds();
      request.rivals = run_;
    }
  }
  doing(member_name(number), "is judged");
  // Somebody else's queue may be long: what waits there stays there. Our own judge ends what it has begun.
  const auto enough = [&] { return give_up() || (research_.task.external && ledger_->out_of_time()); };
  auto judged = research_.evaluator.judge(request, enough);
  if (judged && judged->evaluation.outcome == Outcome::undecided && !enough()) {
    say(fmt::format("{} is undecided: it is judged once more", member_name(number)));
    request.name = again(request.name);
    judged = research_.evaluator.judge(request, enough);
  }
  doing(member_name(number), "");
  if (!judged && !give_up() && enough()) return stop(RunState::finished, ledger_->spent());
  if (!judged) {
    const std::lock_guard lock(mutex_);
    if (!give_up()) away_.push_back(request.name);
    return;
  }
  std::unique_lock lock(mutex_);
  Member& member = *population_.find(number);
  ledger_->with([&](store::Archive& archive) {
    store::Batch batch(archive);
    member.evaluation_id = store::record_evaluation(archive, judged->evaluation, judged->device_name);
    store::link_evaluation(archive, run_, number, member.evaluation_id);
    if (judged->certified)
      store::link_evaluation(archive, run_, number,
                             store::record_evaluation(archive, *judged->certified, judged->device_name));
    if (judged->comparison)
      store::link_comparison(archive, run_, store::record_comparison(archive, *judged->comparison));
    batch.commit();
  });
  member.evaluation = judged->evaluation;
  lock.unlock();
  publish();
  try {
    if (judged->profile) keep_profile(number, *judged->profile, judged->device_name);
  } catch (const base::Error& error) {  // it came from elsewhere, and may be anything
    say(fmt::format("what explains {} cannot be kept: {}", member_name(number), error.what()));
  }
}

agents::Form Researcher::form() const {
  if (research_.task.external) return {agents::Form::Kind::any, ""};
  if (writes_python()) return {agents::Form::Kind::python, agents::python_entry(research_.task)};
  return {};
}

std::string Researcher::extension() const {
  if (research_.task.external) return research_.task.external->extension;
  return writes_python() ? "py" : language() == core::Language::cuda ? "cu" : "cl";
}

int Researcher::member_from(const llm::Reply& reply, const WriterJob& job, const std::string& step,
                            const std::string& basis, std::string& complaint) {
  const auto written = agents::parse_written(reply, basis, form());
  if (!written) {
    complaint = written.error();
    return 0;
  }
  const auto candidate =
      task::candidate_from(written->source, language(), job.step.substr(job.step.find('/') + 1) + "." + extension());
  complaint = complaint_about(candidate, research_.task, written->source);
  if (!complaint.empty()) return 0;
  const auto experiment = job.experiment ? std::optional(agents::experiment_from(job.experiment->body)) : std::nullopt;
  return add_member({.step = step,
                     .generation = job.generation,
                     .basis = job.basis,
                     .reference = job.reference,
                     .experiment = job.experiment ? std::optional(job.experiment->number) : std::nullopt,
                     .report = written->report},
                    *candidate, reply.model.empty() ? research_.models.at("writer").client->name() : reply.model,
                    experiment);
}

void Researcher::wait_for_turn(const std::string& step) {
  const auto before = research_.models.at("writer").client->answered_before(step);
  std::unique_lock lock(mutex_);
  settled_.wait(lock, [&] {
    return std::none_of(before.begin(), before.end(),
                        [&](const auto& earlier) { return unsettled_.contains(earlier); });
  });
}

void Researcher::settle(const std::string& step) {
  const std::lock_guard lock(mutex_);
  unsettled_.erase(step);
  settled_.notify_all();
}

void Researcher::write(const WriterJob& job) {
  llm::Request question = job.question;
  std::string basis;  // what an answer's edits are made of
  if (job.basis) {
    const std::lock_guard lock(mutex_);
    basis = population_.find(*job.basis)->candidate.source;
  }
  for (int attempt = 1; attempt <= job.tries && !give_up(); ++attempt) {
    question.step = fmt::format("{}/try-{}", job.step, attempt);
    int number = 0;
    {
      const std::lock_guard lock(mutex_);
      if (const Member* known = population_.by_step(question.step)) number = known->record.number;
    }
    const bool fresh = number == 0 && !ledger_->knows(question.step);
    if (fresh && (closed(job.generation) || !room_for_a_candidate())) return;
    const auto reply = ask("writer", job.name, question);
    if (!reply) {
      const std::lock_guard lock(mutex_);
      candidates_ -= fresh ? 1 : 0;
      return;
    }
    std::string complaint, refused, in_short;
    bool undecided = false;
    if (number == 0) {
      wait_for_turn(question.step);
      number = member_from(*reply, job, question.step, basis, complaint);
    }
    settle(question.step);
    if (number != 0) {
      judge(number);
      const std::lock_guard lock(mutex_);
      const Member& member = *population_.find(number);
      if (!member.evaluation || member.accepted()) return;  // away or interrupted; or done
      undecided = member.evaluation->outcome == Outcome::undecided;
      complaint = agents::evidence_text(*member.evaluation, writes_python());
      in_short = agents::verdict_text(Population::individual(member));
      basis = refused = member.candidate.source;
    } else {
      unusable(question.step, complaint);
      in_short = complaint.substr(0, complaint.find('\n'));
    }
    say(fmt::format("{}: {} was not accepted: {}", job.name, number != 0 ? member_name(number) : question.step,
                    in_short));
    if (undecided) return;  // there is nothing to fix, so nothing to ask for
    question = agents::ask_again(question, reply->text, complaint, refused);
  }
}

// Numbers are an answer, and so is what they could not be had for.
void Researcher::keep_probe(const WriterJob& job, const agents::Experiment& experiment, const Probed& probed) {
  constexpr std::size_t longest_failure = 400;  // of a compiler that has a lot to say
  json body;
  store::Finding finding{.device = device_kind(), .source = "probe of run " + run_ + ", " + job.step, .run = run_};
  const std::string question =
      experiment.description.substr(0, experiment.description.find_first_of(".?\n"));  // enough for a line
  if (probed.failure.empty()) {
    json numbers = json::object();
    finding.text = experiment.description + " Measured by a probe:";
    for (const auto& [label, value] : probed.numbers) {
      numbers[label] = value;
      finding.text += fmt::format(" {} = {:.6g};", label, value);
    }
    finding.text.back() = '.';
    body = {{"numbers", numbers}};
  } else {
    finding.task = research_.task.name;  // it may be the program's fault, and is no truth about the device
    finding.text = fmt::format("A probe asked: {} It came to no numbers: {}", experiment.description,
                               agents::in_one_line(probed.failure, longest_failure));
    body = {{"failure", probed.failure}};
  }
  ledger_->with([&](store::Archive& archive) {
    store::Batch batch(archive);
    store::decide_once(archive, run_, job.step + "/probe", body.dump(-1, ' ', false, json::error_handler_t::replace));
    store::add_finding(archive, finding);
    batch.commit();
  });
  if (probed.failure.empty())
    say(fmt::format("{}: a probe measured {} numbers for \"{}\"", job.name, probed.numbers.size(), question));
  else
    say(fmt::format("{}: the probe for \"{}\" came to no numbers: {}", job.name, question,
                    agents::in_one_line(probed.failure, longest_failure)));
}

// Probes take no place among the candidates: what bounds them is calls.
void Researcher::write_probe(const WriterJob& job) {
  const std::string decision = job.step + "/probe";
  if (decided(decision)) return;
  llm::Request question = job.question;
  const auto experiment = agents::experiment_from(job.experiment->body);
  std::optional<Probed> last;
  for (int attempt = 1; attempt <= job.tries && !give_up(); ++attempt) {
    question.step = fmt::format("{}/try-{}", job.step, attempt);
    if (!ledger_->knows(question.step) && closed(job.generation)) break;
    const auto reply = ask("writer", job.name, question);
    if (!reply) return;
    std::string complaint;
    const auto written = agents::parse_written(*reply, "");
    if (!written) {
      complaint = written.error();
    } else {
      doing(job.name, "probe runs");
      const ProbeRequest request{
          fmt::format("{}-{}-{}-{}", run_, generation_name(job.generation), job.experiment->index, attempt),
          written->source};
      last = research_.evaluator.probe(request, [&] { return give_up(); });
      doing(job.name, "");
      if (!last) {
        const std::lock_guard lock(mutex_);
        if (!give_up()) away_.push_back(request.name);
        return;
      }
      if (last->failure.empty()) break;
      complaint = last->failure;
    }
    unusable(question.step, complaint);
    question = agents::ask_again(question, reply->text, complaint);
  }
  if (give_up()) return;
  if (last)
    keep_probe(job, experiment, *last);
  else
    say(fmt::format("{}: no program was written for a probe", job.name));
}

}  // namespace hone::run
