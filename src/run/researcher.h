#pragma once
// The loop behind run/research.h, in parts: first generation, generations, writers, end. Private to this module.
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>

#include "base/fd.h"
#include "run/ledger.h"
#include "run/population.h"
#include "run/research.h"
#include "store/profiles.h"

namespace hone::run {

class Researcher {
 public:
  explicit Researcher(const Research& research);
  ResearchResult work();

 private:
  // Why the loop does not go on. Set once, from any thread; the first reason stands.
  struct Stop {
    store::RunState state;
    std::string why;
  };
  void stop(store::RunState state, const std::string& why);
  bool stopping();  // nothing new is begun; what is recorded is still gone through
  bool begun(int generation);
  std::optional<std::string> decided(const std::string& name);  // what is recorded of a decision; nothing: not made yet

  // ---- research.cc
  void loop();
  std::string stop_rule(int generation, int last_gain);
  std::string places_spent() const;  // "8 candidates were allowed"
  void open_run();
  agents::Mission mission();
  std::string device_kind() const { return research_.info.is_cpu ? "cpu" : research_.info.arch; }  // for findings
  bool writes_python() const { return !research_.task.external && research_.settings.write == "python"; }
  core::Language language() const { return writes_python() ? core::Language::python : research_.info.language; }
  bool give_up() const { return research_.interrupt.requested(); }
  void doing(const std::string& role, const std::string& what);  // "": nothing any more
  void publish();
  void say(const std::string& text);
  void note(const std::string& text);
  // Several things at once, each on its own thread; throws what the first of them threw.
  void all_at_once(const std::vector<std::function<void()>>& jobs);
  // The same for writers, by their steps.
  void writers_at_once(const std::vector<std::pair<std::string, std::function<void()>>>& writers);

  // ---- research_first.cc: the first generation
  void first_generation();
  void one_shots();
  void seed(const std::string& step, const std::string& source, const std::string& name, const std::string& author);

  // ---- research_generation.cc
  void generation(int number);
  agents::Selection select(int generation);
  // Experiments of earlier generations that no candidate came of.
  std::vector<agents::Fruitless> fruitless(int before_generation);
  std::vector<store::ExperimentRecord> design(int generation, const agents::Selection& selection);
  // A role's answer for a generation, as `parse` reads it; one that does not parse goes back with what is wrong with
  // it. Nothing: there is no usable one; `nothing_left` as for ask().
  template <typename Answer>
  std::optional<Answer> answer(int generation, const std::string& role, const llm::Request& question,
                               const std::function<base::Result<Answer>(const llm::Reply&)>& parse,
                               bool* nothing_left = nullptr);

  // ---- research_profile.cc: why the basis takes its time, and what became of the advice
  void explain(int generation, const agents::Selection& selection);
  // The id of the profile that this generation works with; nothing: there is none.
  std::optional<std::string> profile_of(int generation);
  std::optional<store::ProfileRecord> read_profile(int generation);
  std::optional<std::string> profiled_before(int member);
  std::string keep_profile(int member, core::Profile profile, const std::string& device_name);  // gives its id
  std::optional<Profiled> ask_for_profile(int generation, int basis);
  void settle_advice(int generation, const agents::Selection& selection);

  // ---- research_outcome.cc
  // What is decided of a generation stays: nobody writes for it any more, with whatever budget the run goes on.
  bool closed(int generation);
  void learn(int generation, const agents::Selection& selection);
  struct Choice {
    int member = 0;
    std::string because;
  };
  std::optional<Choice> best_after(int generation);
  void choose_incumbent(int generation);
  std::optional<int> incumbent_before(int generation);

  // ---- research_writer.cc
  struct WriterJob {
    int generation = 0;
    std::string name, step;  // "writer 2", "g003/writer-2"
    std::optional<store::ExperimentRecord> experiment;
    std::optional<int> basis, reference;
    int tries = 1;
    llm::Request question;
  };
  // Asks, parses, judges and asks again, until a candidate is accepted or the tries are spent.
  void write(const WriterJob& job);
  void write_probe(const WriterJob& job);
  void keep_probe(const WriterJob& job, const agents::Experiment& experiment, const Probed& probed);
  // Keeps why the answer to a step was of no use, for the report and for later prompts.
  void unusable(const std::string& step, const std::string& why);
  agents::Form form() const;      // that an answer must have
  std::string extension() const;  // of a candidate's file
  // The member that an answer makes, or 0 and what is wrong with the answer.
  int member_from(const llm::Reply& reply, const WriterJob& job, const std::string& step, const std::string& basis,
                  std::string& complaint);
  void judge(int member);
  // Members are numbered as their answers come. A replay has all answers at once: there each waits until those that
  // were answered before it, among the first answers of writers at work, are settled.
  void wait_for_turn(const std::string& step);
  void settle(const std::string& step);
  // The model's reply to a step, or nothing, with the reason said or the run stopped. Who can be done without says
  // where to put that the budget (or the recording) has nothing left, which then does not stop the run.
  std::optional<llm::Reply> ask(const std::string& role, const std::string& name, const llm::Request& request,
                                bool* nothing_left = nullptr);
  bool room_for_a_candidate();  // takes one place
  int places_left();
  int add_member(const store::MemberRecord& record, const core::Candidate& candidate, const std::string& author,
                 const std::optional<agents::Experiment>& experiment);

  // ---- research_end.cc
  struct Finish {
    Certification certification;
    std::optional<store::ComparisonRecord> compared;  // with the seed
  };
  // The member certified in a fresh process, now or before. Nothing: it is away, or the run was interrupted.
  std::optional<Finish> finish(const Member& member, const Member& seed);
  void conclude(ResearchResult& result);

  const Research& research_;
  std::string run_;
  base::Fd lock_;
  std::optional<Ledger> ledger_;
  std::mutex mutex_;  // guards what follows
  Population population_;
  std::map<std::string, std::string> doing_;
  std::optional<Stop> stop_;
  std::vector<std::string> away_;
  int candidates_ = 0;  // places: answers of writers, whatever became of them, and those they are asked for now
  int generation_ = 0;
  std::string phase_;
  std::set<std::string> unsettled_;  // first answers of the writers at work, not yet members or failures
  std::condition_variable settled_;
};

std::string generation_name(int generation);  // "g003"
std::string member_name(int number);          // "00012"
// Its candidate under the member's own name: a job must have the same words whenever it is submitted, and the same
// source may have come under several names.
core::Candidate named(const Member& member);

template <typename Answer>
std::optional<Answer> Researcher::answer(int generation, const std::string& role, const llm::Request& question,
                                         const std::function<base::Result<Answer>(const llm::Reply&)>& parse,
                                         bool* nothing_left) {
  constexpr int tries = 3;  // the first, and two to mend its shape
  llm::Request request = question;
  for (int attempt = 1; attempt <= tries; ++attempt) {
    request.step = generation_name(generation) + "/" + role + "/try-" + std::to_string(attempt);
    const auto reply = ask(role, role, request, nothing_left);
    if (!reply) return std::nullopt;
    auto parsed = parse(*reply);
    if (parsed) return *std::move(parsed);
    unusable(request.step, parsed.error());
    request = agents::ask_again(question, reply->arguments.empty() ? reply->text : reply->arguments, parsed.error());
  }
  return std::nullopt;
}

}  // namespace hone::run
