#include "run/roles.h"

#include <fmt/format.h>

#include "run/names.h"
#include "run/recorded.h"
#include "store/findings.h"

namespace hone::run {

using core::Answered;
using core::Role;

namespace {

constexpr int turns = 3;  // the first, and two to correct the shape of an answer

std::vector<core::NodeId> selectable(const core::Tree& tree, int generation) {
  std::vector<core::NodeId> numbers;
  for (const auto& node : tree.nodes)
    if (node.place.generation < generation && node.accepted()) numbers.push_back(node.number);
  return numbers;  // the others stand in the prompt to learn from
}

template <typename T>
std::string wrong_with(const base::Result<T>& parsed) {
  return parsed ? "" : parsed.error();
}

}  // namespace

void Roles::ask(const core::DecidedAction& act) {
  switch (act.action.role) {
    case Role::selector:
      return ask_selector(act);
    case Role::designer:
      return ask_designer(act);
    default:
      return ask_learner(act);
  }
}

void Roles::ask_selector(const core::DecidedAction& act) {
  const auto known = selectable(work_.journal.tree(), act.action.generation);
  Question question{.role = Role::selector,
                    .request = work_.questions.selector(act.action.generation)};
  // A recording of another run names the nodes of that run.
  const auto& model = *work_.context.models.at(std::string(core::name_of(Role::selector))).client;
  const auto numbers = numbers_of_recording(model, work_.journal.tree());
  const auto parse = [known, numbers](const llm::Reply& reply) {
    return agents::parse_selection(reply, known, numbers);
  };
  question.complaint = [parse](const llm::Reply& reply) { return wrong_with(parse(reply)); };
  ask(act.number, std::move(question), [parse, number = act.number](const llm::Reply& reply) {
    return Answered{.action = number, .selection = *parse(reply)};
  });
}

void Roles::ask_designer(const core::DecidedAction& act) {
  Question question{.role = Role::designer, .request = work_.questions.designer(act)};
  const auto shown = work_.questions.advice_shown(act.action.basis);
  const auto probes = work_.context.task.external ? agents::Probes::no : agents::Probes::yes;
  const auto parse = [shown, probes](const llm::Reply& reply) {
    return agents::parse_design(reply, shown, probes);
  };
  question.complaint = [parse](const llm::Reply& reply) { return wrong_with(parse(reply)); };
  ask(act.number, std::move(question), [parse, number = act.number](const llm::Reply& reply) {
    return Answered{.action = number, .design = *parse(reply)};
  });
}

void Roles::ask_learner(const core::DecidedAction& act) {
  auto request = work_.questions.learner(act.action);
  if (!request)
    return work_.journal.append(core::Failed{act.number, "there is nothing to learn from"});
  Question question{.role = Role::learner, .request = *std::move(request)};
  question.complaint = [](const llm::Reply& reply) {
    return wrong_with(agents::parse_lesson(reply));
  };
  ask(act.number, std::move(question),
      [this, action = act.action, number = act.number](const llm::Reply& reply) {
        core::Lesson lesson = *agents::parse_lesson(reply);
        auto objections = work_.questions.objections(action);
        objections.insert(objections.end(), lesson.disagreements.begin(),
                          lesson.disagreements.end());
        lesson.disagreements = std::move(objections);
        return Answered{.action = number, .lesson = std::move(lesson)};
      });
}

void Roles::ask(core::ActionId number, Question question,
                std::function<Answered(const llm::Reply&)> read) {
  const core::DecidedAction act =
      work_.journal.tree().actions[static_cast<std::size_t>(number) - 1];
  question.asker = core::name_of(question.role);
  question.turns = turns;
  question.step = [act](int turn) { return question_name(act, turn); };
  work_.asker.ask(std::move(question), [this, number, read = std::move(read)](
                                           const Answer& answer) { taken(number, answer, read); });
}

void Roles::taken(core::ActionId number, const Answer& answer,
                  const std::function<Answered(const llm::Reply&)>& read) {
  const core::Action action =
      work_.journal.tree().actions[static_cast<std::size_t>(number) - 1].action;
  const std::string role(core::name_of(action.role));
  int turn = 0;
  for (const auto& complaint : answer.complaints)
    work_.journal.append(core::Unusable{number, ++turn, complaint});
  if (!answer.reply) {
    if (work_.goes_on_without(role, generation_name(action.generation) + "/" + role,
                              answer.reply.error()))
      work_.journal.append(core::Failed{number, answer.reply.error().text});
  } else if (turn == turns) {
    work_.say(fmt::format("the {} gave no usable answer: the run goes on by rule", role));
    work_.journal.append(core::Failed{number, answer.complaints.back()});
  } else {
    work_.journal.append([&](store::Archive& archive) {
      Answered answered = read(*answer.reply);
      if (answered.design)
        for (const auto& note : answered.design->notes) work_.say("the designer: " + note);
      learned(answered, action.generation, archive);
      return answered;
    });
  }
}

void Roles::learned(const Answered& answered, int generation, store::Archive& archive) const {
  if (!answered.lesson) return;
  const std::string& run = work_.journal.run();
  for (const auto& text : answered.lesson->findings)
    store::add_finding(archive, {.task = work_.context.task.name,
                                 .device = work_.context.device_kind(),
                                 .text = text,
                                 .source = fmt::format("run {}, generation {}", run, generation),
                                 .run = run});
}

}  // namespace hone::run
