// Closing the loop: the basis of a generation is profiled before experiments are designed, and what became of the
// advice that experiments cite goes into the archive's ledger. Each profile is made once and kept under its member.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "run/record.h"
#include "run/researcher.h"
#include "store/advice_ledger.h"

namespace hone::run {

using nlohmann::json;

namespace {

std::string decision_of_member(int member) { return "profile/" + member_name(member); }

const core::CaseResult* timed_case(const core::Evaluation& evaluation, const std::string& name) {
  for (const auto& result : evaluation.cases)
    if (result.name == name && result.timed && result.median > 0) return &result;
  return nullptr;
}

// Percent of the basis's time that is saved in the case that was profiled: advice speaks of that one. Side by side
// where they were compared, else by their screenings.
double saved_in_case(const Member& basis, const Member& member, const std::string& case_name,
                     const std::vector<store::ComparisonRecord>& comparisons) {
  for (const auto& comparison : comparisons) {
    if (comparison.a.candidate != basis.candidate.hash || comparison.b.candidate != member.candidate.hash) continue;
    for (const auto& one : comparison.cases)
      if (one.name == case_name) return 100 * (1 - one.ratio);
  }
  const auto *before = timed_case(*basis.evaluation, case_name), *after = timed_case(*member.evaluation, case_name);
  if (before != nullptr && after != nullptr) return 100 * (1 - after->median / before->median);
  return 100 * (1 - member.seconds() / basis.seconds());
}

}  // namespace

std::optional<std::string> Researcher::profile_of(int generation) {
  const auto known = decided(generation_name(generation) + "/profile");
  const auto id = known ? json::parse(*known).value("profile", std::string()) : std::string();
  return id.empty() ? std::nullopt : std::optional(id);
}

std::optional<store::ProfileRecord> Researcher::read_profile(int generation) {
  const auto id = profile_of(generation);
  if (!id) return std::nullopt;
  return ledger_->with([&](store::Archive& archive) { return store::get_profile(archive, *id); });
}

std::optional<std::string> Researcher::profiled_before(int member) {
  const auto known = decided(decision_of_member(member));
  return known ? std::optional(json::parse(*known).at("profile").get<std::string>()) : std::nullopt;
}

// What comes back may have been made elsewhere, by a hone that knows nothing of this archive: the order of the advice
// is made here, and what it is of is what was asked for.
std::string Researcher::keep_profile(int member, core::Profile profile, const std::string& device_name) {
  {
    const std::lock_guard lock(mutex_);
    profile.key.candidate = population_.find(member)->candidate.hash;
  }
  profile.key.task = research_.task.hash;
  return ledger_->with([&](store::Archive& archive) {
    profile::order(profile.advice, records_of_tools(archive));
    store::Batch batch(archive);
    const std::string id = store::record_profile(archive, profile, device_name);
    store::decide_once(archive, run_, decision_of_member(member), json{{"profile", id}}.dump());
    batch.commit();
    return id;
  });
}

std::optional<Profiled> Researcher::ask_for_profile(int generation, int basis) {
  ProfileRequest request;
  request.name = fmt::format("{}-{}-profile", run_, generation_name(generation));
  request.programs = research_.settings.tools;
  {
    const std::lock_guard lock(mutex_);
    const Member& member = *population_.find(basis);
    request.candidate = named(member);
    request.evaluation = *member.evaluation;
  }
  doing("judge", fmt::format("explains {}", member_name(basis)));
  std::optional<Profiled> profiled;
  try {
    profiled = research_.evaluator.profile(request, [&] { return give_up(); });
  } catch (const base::Error& error) {
    profiled = Profiled{std::nullopt, error.what(), ""};
  }
  doing("judge", "");
  if (!profiled && !give_up()) {
    const std::lock_guard lock(mutex_);
    away_.push_back(request.name);
  }
  return profiled;
}

void Researcher::explain(int generation, const agents::Selection& selection) {
  const std::string name = generation_name(generation) + "/profile";
  if (research_.settings.feedback == "none" || !research_.evaluator.profiles()) return;
  if (decided(name)) return;
  auto id = profiled_before(selection.basis);
  std::string failure;
  if (!id) {
    const auto profiled = ask_for_profile(generation, selection.basis);
    if (!profiled || give_up()) return;
    failure = profiled->failure;
    try {
      if (profiled->profile) id = keep_profile(selection.basis, *profiled->profile, profiled->device_name);
    } catch (const base::Error& error) {
      failure = error.what();
    }
  }
  if (!id) say(fmt::format("{} could not be explained: {}", member_name(selection.basis), failure));
  ledger_->with([&](store::Archive& archive) {
    store::Batch batch(archive);
    json body{{"member", selection.basis}};
    if (id)
      body["profile"] = *id;
    else
      body["failure"] = failure;
    store::decide_once(archive, run_, name, body.dump(-1, ' ', false, json::error_handler_t::replace));
    if (id && research_.settings.feedback == "tools")
      store::record_shown(archive, run_, generation, selection.basis, *id);
    batch.commit();
  });
}

void Researcher::settle_advice(int generation, const agents::Selection& selection) {
  const auto citations = ledger_->with([&](store::Archive& archive) { return store::citations_of(archive, run_); });
  const auto comparisons =
      ledger_->with([&](store::Archive& archive) { return store::comparisons_of_run(archive, run_); });
  for (const auto& citation : citations) {
    if (citation.generation != generation || citation.member) continue;
    const std::lock_guard lock(mutex_);
    const Member* came_to = nullptr;  // the accepted one, else the last
    for (const auto& [number, member] : population_.all())
      if (member.record.experiment == citation.experiment && member.evaluation &&
          member.evaluation->outcome != core::Outcome::undecided &&  // nothing can be held against the advice
          (came_to == nullptr || !came_to->accepted()))
        came_to = &member;
    if (came_to == nullptr) continue;
    std::optional<double> gain;
    if (came_to->accepted())
      gain = saved_in_case(*population_.find(selection.basis), *came_to, citation.case_name, comparisons);
    ledger_->with([&](store::Archive& archive) {
      store::record_realised(archive, citation.experiment, came_to->record.number, came_to->evaluation->outcome, gain);
    });
  }
}

}  // namespace hone::run
