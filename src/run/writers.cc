#include "run/writers.h"

#include <fmt/format.h>

#include "agents/text.h"
#include "run/names.h"
#include "run/record.h"
#include "run/tune_budget.h"
#include "run/writing.h"
#include "store/findings.h"

namespace hone::run {

using core::Node;

namespace {

constexpr std::size_t longest_failure = 400;  // of a compiler that has a lot to say

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The finding that a probe comes to. Numbers are about the device. A failure may be the program's
// fault, and is about the task alone.
store::Finding finding_of(const core::ProbeNumbers& probed, const core::Experiment& experiment,
                          const RunContext& context) {
  store::Finding finding{.device = context.device_kind()};
  if (!probed.failure.empty()) {
    finding.task = context.task.name;
    finding.text =
        fmt::format("A probe asked: {} It came to no numbers: {}", experiment.description,
                    agents::in_one_line(probed.failure, longest_failure));
    return finding;
  }
  finding.text = experiment.description + " Measured by a probe:";
  for (const auto& [label, value] : probed.numbers)
    finding.text += fmt::format(" {} = {:.6g};", label, value);
  finding.text.back() = '.';
  return finding;
}

}  // namespace

const core::DecidedAction& Writers::act(core::ActionId number) const {
  return work_.journal.tree().actions[static_cast<std::size_t>(number) - 1];
}

void Writers::write(core::NodeId number) {
  const Node& node = *work_.journal.tree().node(number);
  Question question{.asker = writer_name(node.place), .request = work_.questions.writer(node)};
  question.request.node = number;
  question.step = [name = name_of_place(node.place)](int) { return name; };
  work_.asker.ask(std::move(question),
                  [this, number](const Answer& answer) { written(number, answer); });
}

void Writers::written(core::NodeId number, const Answer& answer) {
  // A copy: appending to the journal may move the nodes of its tree.
  const Node node = *work_.journal.tree().node(number);
  const std::string asker = writer_name(node.place), step = name_of_place(node.place);
  if (!answer.reply) {
    const auto& fault = answer.reply.error();
    if (work_.goes_on_without(asker, step, fault))
      work_.journal.append(core::NotWritten{number, false, fault.text, answer.cost});
    return;
  }
  const auto candidate =
      candidate_from(work_.context, node.place, *answer.reply, work_.questions.edited_source(node));
  if (!candidate) {
    work_.journal.append(core::NotWritten{number, true, candidate.error(), answer.cost});
    return work_.say(
        fmt::format("{}: {} was not accepted: {}", asker, step, first_line(candidate.error())));
  }
  std::string author = answer.reply->model;
  if (author.empty()) author = work_.context.models.at("writer").client->name();
  work_.journal.append([&](store::Archive& archive) {
    std::vector<std::string> parents;
    for (const core::NodeId parent : {node.basis, node.reference})
      // A writer may give its basis back unchanged, and nothing is its own parent.
      if (const Node* known = work_.journal.tree().node(parent);
          known != nullptr && known->candidate != candidate->candidate.hash)
        parents.push_back(known->candidate);
    record_candidate(archive, candidate->candidate,
                     {parents, author, fmt::format("run {}, {}", work_.journal.run(), step)});
    return core::Written{number,
                         candidate->candidate.hash,
                         candidate->candidate.name,
                         author,
                         candidate->report,
                         answer.cost,
                         points_for(work_.context, work_.journal.tree(), candidate->candidate)};
  });
  if (!work_.cancelled) judging_.judge(number);
}

void Writers::probe(const core::DecidedAction& act) {
  const core::Intent& intent = *work_.journal.tree().intent(act.action.intent);
  ask_for_probe(act.number, 1, work_.questions.probe(intent.experiment));
}

void Writers::ask_for_probe(core::ActionId number, int turn, llm::Request request) {
  Question question{.asker = writer_name(act(number).action.place), .request = request};
  question.step = [name = question_name(act(number), turn)](int) { return name; };
  work_.asker.ask(std::move(question),
                  [this, number, turn, request = std::move(request)](const Answer& answer) {
                    probe_written(number, turn, request, answer);
                  });
}

void Writers::probe_written(core::ActionId number, int turn, const llm::Request& asked,
                            const Answer& answer) {
  const std::string asker = writer_name(act(number).action.place);
  if (!answer.reply) {
    if (work_.goes_on_without(asker, question_name(act(number), turn), answer.reply.error()))
      work_.journal.append(core::Failed{number, answer.reply.error().text});
    return;
  }
  if (work_.cancelled) return;
  const auto written = agents::parse_written(*answer.reply, "");
  // The model is told what was wrong with its answer, as for candidates.
  if (!written) return probe_again(number, turn, asked, *answer.reply, written.error());
  Job job;
  job.name = probing_job(work_.journal.run(), act(number), turn);
  job.task_folder = work_.context.settings.task_path;
  job.task = work_.context.task.hash;
  job.probe = written->source;
  job.probe_language = work_.context.info.language;
  job.call_seconds = work_.context.settings.time_limit;
  work_.doing(asker, "probe runs");
  work_.jobs.submit(job, [this, number, turn, asked, reply = *answer.reply](const JobDone& done) {
    probe_run(number, turn, asked, reply, done);
  });
}

void Writers::probe_run(core::ActionId number, int turn, const llm::Request& asked,
                        const llm::Reply& reply, const JobDone& done) {
  work_.doing(writer_name(act(number).action.place), "");
  if (done.state == JobDone::State::broken) return work_.job_failed(done);
  if (done.state != JobDone::State::done) return;
  core::ProbeNumbers probed;
  if (done.result->probe)
    for (const auto& one : done.result->probe->numbers)
      probed.numbers.emplace_back(one.label, one.value);
  else
    probed.failure = done.result->probe_failure ? done.result->probe_failure->text
                                                : "nothing came back of the probe";
  if (probed.failure.empty()) return keep_probe(number, probed);
  // Kept in case no later program does better: that a probe fails may be worth knowing.
  failed_probes_[number] = probed;
  probe_again(number, turn, asked, reply, probed.failure);
}

void Writers::probe_again(core::ActionId number, int turn, const llm::Request& asked,
                          const llm::Reply& reply, const std::string& complaint) {
  work_.journal.append(core::Unusable{number, turn, complaint});
  if (turn < work_.context.settings.tries)
    return ask_for_probe(number, turn + 1, agents::ask_again(asked, reply.text, complaint));
  const auto failed = failed_probes_.find(number);
  if (failed != failed_probes_.end()) return keep_probe(number, failed->second);
  work_.say(
      fmt::format("{}: no program was written for a probe", writer_name(act(number).action.place)));
  work_.journal.append(core::Failed{number, complaint});
}

// Numbers are an answer, and so is the reason why there are none.
void Writers::keep_probe(core::ActionId number, const core::ProbeNumbers& probed) {
  const core::Action action = act(number).action;
  const core::Experiment experiment = work_.journal.tree().intent(action.intent)->experiment;
  const std::string name = writer_of(question_name(act(number)));
  work_.journal.append([&](store::Archive& archive) {
    store::Finding finding = finding_of(probed, experiment, work_.context);
    finding.source = fmt::format("probe of run {}, {}", work_.journal.run(), name);
    finding.run = work_.journal.run();
    store::add_finding(archive, finding);
    return core::Probed{number, action.intent, probed};
  });
  const std::string asker = writer_name(action.place);
  const std::string question =
      experiment.description.substr(0, experiment.description.find_first_of(".?\n"));
  if (probed.failure.empty())
    work_.say(fmt::format("{}: a probe measured {} numbers for \"{}\"", asker,
                          probed.numbers.size(), question));
  else
    work_.say(fmt::format("{}: the probe for \"{}\" came to no numbers: {}", asker, question,
                          agents::in_one_line(probed.failure, longest_failure)));
}

}  // namespace hone::run
