#include "run/ledger.h"

#include <fmt/format.h>

namespace hone::run {

using base::Failure;
using Clock = std::chrono::steady_clock;

namespace {

constexpr double minute = 60;  // seconds
// A generation without any answer: selector, designer, and the writers, which are asked at once.
constexpr int most_silent = 3;

// Cents, or what there is of them: "5.00", "0.001".
std::string dollars(double usd) {
  return usd > 0 && usd < 0.01 ? fmt::format("{:.1g}", usd) : fmt::format("{:.2f}", usd);
}

llm::Fault over_budget(std::string text) {
  return {llm::FaultKind::over_budget, std::move(text), {}, {}};
}

// Whether a provider may have charged for a call that brought no answer.
bool may_have_cost(llm::FaultKind kind) {
  using llm::FaultKind;
  return kind == FaultKind::cut_off || kind == FaultKind::timed_out ||
         kind == FaultKind::malformed || kind == FaultKind::cancelled ||
         kind == FaultKind::refused || kind == FaultKind::empty;
}

}  // namespace

Ledger::Ledger(SharedArchive& archive, std::string run, const Budget& budget,
               const std::atomic<bool>& cancelled, const llm::RetryRule& rule)
    : archive_(archive),
      run_(std::move(run)),
      budget_(budget),
      minutes_before_(archive_.with([&](auto& opened) {
        return store::seconds_at_work(opened, run_);
      }) / minute),
      rule_(rule),
      deadline_(cancelled, budget.minutes > 0
                               ? std::optional(minute * (budget.minutes - minutes_before_))
                               : std::nullopt) {}

store::Spending Ledger::spending() {
  return archive_.with([&](store::Archive& archive) { return store::spending_of(archive, run_); });
}

bool Ledger::knows(const std::string& step) {
  return archive_.with(
      [&](store::Archive& archive) { return store::answer_to(archive, run_, step).has_value(); });
}

double Ledger::minutes() const {
  return minutes_before_ + std::chrono::duration<double>(Clock::now() - start_).count() / minute;
}

std::string Ledger::spent() {
  const auto so_far = spending();
  if (budget_.calls > 0 && so_far.calls >= budget_.calls)
    return fmt::format("{} calls were allowed", budget_.calls);
  if (budget_.usd > 0 && so_far.usd >= budget_.usd)
    return fmt::format("{} dollars were allowed", dollars(budget_.usd));
  if (deadline_.out_of_time()) return fmt::format("{:g} minutes were allowed", budget_.minutes);
  return "";
}

// Looking at the books and booking are one: two threads cannot spend the same dollar.
std::optional<llm::Fault> Ledger::book(const RoleModel& model, const llm::Request& request,
                                       Booked& booked) {
  return archive_.with([&](store::Archive& archive) -> std::optional<llm::Fault> {
    if (deadline_.cancelled())
      return llm::Fault{llm::FaultKind::cancelled, "stopped before it was asked", {}, {}};
    if (auto cap = spent(); !cap.empty()) return over_budget(std::move(cap));
    const double most = booked.most = model.price ? llm::most_dollars(*model.price, request) : 0;
    if (const double used = store::spending_of(archive, run_).usd;
        budget_.usd > 0 && used + most > budget_.usd)
      return over_budget(
          fmt::format("{} dollars were allowed, {} are spent, and the next call may cost {}",
                      dollars(budget_.usd), dollars(used), dollars(most)));
    std::string prompt = request.prompt.system;
    prompt += prompt.empty() ? "" : "\n\n";
    prompt += llm::render(request.prompt);
    booked.tokens = llm::estimated_tokens(prompt);
    booked.call =
        store::begin_call(archive, {run_, request.step, request.role, model.client->name(),
                                    request.prompt.template_hash, std::move(prompt), most});
    return std::nullopt;
  });
}

store::CallEnd Ledger::settle(const RoleModel& model, const Booked& booked,
                              const base::Result<llm::Reply, llm::Fault>& result, double seconds) {
  store::CallEnd end;
  end.answered = result.ok();
  end.seconds = seconds;
  const auto usage = result ? result->usage : result.error().usage;
  if (result && !usage) {  // programs and people do not count tokens: about so many
    end.tokens_in = booked.tokens;
    end.tokens_out = llm::estimated_tokens(result->text + result->arguments);
  }
  if (usage) {
    end.tokens_in = usage->in;
    end.tokens_out = usage->out;
    end.tokens_cached = usage->cached;
    if (model.price) end.usd = llm::dollars(*model.price, *usage);
  } else if (result || may_have_cost(result.error().kind)) {
    // The cap must hold even where the provider has charged in full.
    end.usd = booked.most;  // what it cost is not known
  }
  if (result) {
    end.text = result->text;
    end.arguments = result->arguments;
    end.model = result->model;
    end.stop = result->stop;
  } else {
    end.text = result.error().text;
    end.fault = llm::name_of(result.error().kind);
  }
  archive_.with([&](store::Archive& archive) { store::end_call(archive, booked.call, end); });
  return end;
}

namespace {

void add(core::Cost& cost, const store::CallEnd& end) {
  ++cost.calls;
  cost.tokens_in += end.tokens_in;
  cost.tokens_out += end.tokens_out;
  cost.usd += end.usd;
  cost.seconds += end.seconds;
}

Reply from_archive(const store::CallEnd& known) {
  llm::Reply reply;
  reply.text = known.text;
  reply.arguments = known.arguments;
  reply.model = known.model;
  reply.stop = known.stop;
  reply.seconds = known.seconds;
  Reply whole{std::move(reply), {}};
  add(whole.cost, known);
  return whole;
}

}  // namespace

// An answer that was ever received is never paid for twice: it is looked up by its step, also after
// a crash.
Reply Ledger::ask(const RoleModel& model, const llm::Request& request,
                  const std::function<void(const std::string&)>& say) {
  const auto known = archive_.with(
      [&](store::Archive& archive) { return store::answer_to(archive, run_, request.step); });
  if (known) return from_archive(*known);
  Booked booked;
  core::Cost cost;
  Clock::time_point start;
  llm::AttemptHooks hooks;
  hooks.say = say;
  hooks.before = [&](const llm::Request& attempt) {
    start = Clock::now();
    return book(model, attempt, booked);
  };
  hooks.after = [&](const llm::Request&, const base::Result<llm::Reply, llm::Fault>& result) {
    add(cost,
        settle(model, booked, result, std::chrono::duration<double>(Clock::now() - start).count()));
  };
  hooks.wait = [&](double seconds, const llm::Cancel&) { deadline_.wait(seconds); };
  const bool free = model.client->price_name().empty();
  const Silence before = silence();
  llm::RetryRule rule = rule_;
  if (before.answers == 0)
    rule.attempts_to_reach = 1;  // a wrong address does not get better by waiting
  auto answered = told(before, llm::ask_with_retries(*model.client, request, rule, hooks,
                                                     free ? deadline_.over() : never_));
  if (!answered && answered.error().kind == llm::FaultKind::cancelled && deadline_.out_of_time())
    return {Failure{over_budget(spent())}, cost};
  return {std::move(answered), cost};
}

Ledger::Silence Ledger::silence() {
  const std::lock_guard lock(mutex_);
  return silence_;
}

base::Result<llm::Reply, llm::Fault> Ledger::told(const Silence& before,
                                                  base::Result<llm::Reply, llm::Fault> answered) {
  const std::lock_guard lock(mutex_);
  if (answered ||
      !llm::worth_retrying(answered.error().kind)) {  // a model is there, or it is not about that
    if (answered || answered.error().kind == llm::FaultKind::refused)
      silence_ = {0, silence_.answers + 1};
    return answered;
  }
  if (before.answers != silence_.answers) return answered;  // others were answered in the meantime
  if (answered.error().kind == llm::FaultKind::unreachable && before.answers == 0) {
    llm::Fault fault = answered.error();
    fault.kind = llm::FaultKind::rejected;
    return Failure{std::move(fault)};
  }
  silence_.questions = std::max(silence_.questions, before.questions + 1);
  if (silence_.questions < most_silent) return answered;
  llm::Fault fault = answered.error();
  fault.kind = llm::FaultKind::rejected;
  fault.text = fmt::format("no model gave any answer to {} questions one after the other ({})",
                           silence_.questions, fault.text);
  return Failure{std::move(fault)};
}

}  // namespace hone::run
