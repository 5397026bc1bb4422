#include "run/names.h"

#include <fmt/format.h>

namespace hone::run {

using core::Origin;

std::string node_name(core::NodeId number) { return fmt::format("{:05}", number); }
std::string generation_name(int generation) { return fmt::format("g{:03}", generation); }

namespace {

std::string place_without_attempt(const core::NodePosition& place) {
  switch (place.origin) {
    case Origin::task_seed:
      return place.index == 0 ? "seed/given-seed" : fmt::format("seed/given-task-{}", place.index);
    case Origin::user_seed:
      return fmt::format("seed/given-{}", place.index);
    case Origin::translation:
      return "seed/translation";
    case Origin::attempt:
      return fmt::format("seed/attempt-{}", place.index);
    case Origin::bootstrap:
      return fmt::format("seed/bootstrap-{}", place.index);
    case Origin::one_shot:
      return fmt::format("{}/oneshot-{:03}", generation_name(place.generation), place.index);
    default:
      return fmt::format("{}/writer-{}", generation_name(place.generation), place.index);
  }
}

}  // namespace

std::string name_of_place(const core::NodePosition& place) {
  const std::string name = place_without_attempt(place);
  return core::is_given(place.origin) ? name : fmt::format("{}/try-{}", name, place.attempt);
}

std::string writer_name(const core::NodePosition& place) {
  if (place.origin == Origin::translation) return "translator";
  return place.origin == Origin::bootstrap ? "writer" : fmt::format("writer {}", place.index);
}

std::string writer_of(const std::string& question) {
  return question.substr(0, question.rfind('/'));
}

std::string question_name(const core::DecidedAction& act, int turn) {
  const core::Action& action = act.action;
  if (action.kind == core::Action::Kind::write) return name_of_place(action.place);
  if (action.kind == core::Action::Kind::probe) {
    core::NodePosition place = action.place;
    place.attempt = turn;
    return name_of_place(place);
  }
  return fmt::format("{}/{}/try-{}", generation_name(action.generation), core::name_of(action.role),
                     turn);
}

std::string judging_job(const std::string& run, core::NodeId node) {
  return fmt::format("{}-{}-screen", run, node_name(node));
}
std::string explaining_job(const std::string& run, const core::DecidedAction& act) {
  return fmt::format("{}-{}-profile", run, generation_name(act.action.generation));
}
std::string probing_job(const std::string& run, const core::DecidedAction& act, int turn) {
  return fmt::format("{}-{}-{}-{}", run, generation_name(act.action.generation),
                     act.action.place.index, turn);
}
std::string certifying_job(const std::string& run, core::NodeId node) {
  return fmt::format("{}-{}-final", run, node_name(node));
}
std::string again(const std::string& job) { return job + "-again"; }

}  // namespace hone::run
