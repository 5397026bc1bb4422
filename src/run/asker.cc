#include "run/asker.h"

#include <fmt/format.h>

#include "agents/prompts.h"

namespace hone::run {

Asker::Asker(Ledger& ledger, const RoleModels& models, EventQueue& events, Doing doing, Doing note)
    : ledger_(ledger),
      models_(models),
      events_(events),
      doing_(std::move(doing)),
      note_(std::move(note)) {}

Asker::~Asker() {
  for (auto& thread : threads_) thread.join();
}

// A thread for each question, because a model may take minutes. `done` runs on the driver's thread,
// which alone changes the run.
void Asker::ask(Question question, std::function<void(Answer)> done) {
  ++in_flight_;
  threads_.emplace_back([this, question = std::move(question), done = std::move(done)] {
    std::exception_ptr thrown;
    std::optional<Answer> answer;
    try {
      answer = answer_to(question);
    } catch (...) {  // the archive is broken, say: it ends the run, on the driver's thread
      thrown = std::current_exception();
    }
    events_.post([this, done, thrown, answer = std::move(answer)]() mutable {
      --in_flight_;
      if (thrown) std::rethrow_exception(thrown);
      done(*std::move(answer));
    });
  });
}

Answer Asker::answer_to(const Question& question) {
  const RoleModel& model = models_.at(std::string(core::name_of(question.role)));
  Answer whole{base::Failure{llm::Fault{}}, {}, {}};
  llm::Request request = question.request;
  for (int turn = 1; turn <= question.turns; ++turn) {
    request.step = question.step(turn);
    doing_(question.asker, "is asked");
    if (!ledger_.knows(request.step))
      note_(question.asker, fmt::format("asks {}: {}", model.client->name(), request.step));
    Reply reply = ledger_.ask(model, request, [&](const std::string& text) {
      note_(question.asker, text);
      doing_(question.asker, text);
    });
    doing_(question.asker, "");
    whole.cost.calls += reply.cost.calls;
    whole.cost.tokens_in += reply.cost.tokens_in;
    whole.cost.tokens_out += reply.cost.tokens_out;
    whole.cost.usd += reply.cost.usd;
    whole.cost.seconds += reply.cost.seconds;
    whole.reply = std::move(reply.answer);
    if (!whole.reply) return whole;
    const std::string wrong = question.complaint(*whole.reply);
    if (wrong.empty()) return whole;
    whole.complaints.push_back(wrong);
    request = agents::ask_again(
        question.request,
        whole.reply->arguments.empty() ? whole.reply->text : whole.reply->arguments, wrong);
  }
  return whole;
}

}  // namespace hone::run
