// Calls of models: see store/research.h.
#include "store/research.h"

namespace hone::store {

std::int64_t begin_call(Archive& archive, const CallStart& call) {
  const StoredText prompt = archive.objects().keep(call.prompt);
  archive.database().run("insert_call", row_of_research_run(archive, call.run), call.step,
                         call.role, call.model, call.template_hash, call.reserved_usd, now(),
                         prompt.text, prompt.object);
  return archive.database().last_row();
}

void end_call(Archive& archive, std::int64_t call, const CallEnd& end) {
  const StoredText text = archive.objects().keep(end.text),
                   arguments = archive.objects().keep(end.arguments);
  archive.database().run("insert_call_end", call, end.answered, end.fault, end.model, end.stop,
                         end.tokens_in, end.tokens_out, end.tokens_cached, end.usd, end.seconds,
                         now(), text.text, text.object, arguments.text, arguments.object);
}

std::optional<CallEnd> answer_to(Archive& archive, const std::string& run,
                                 const std::string& step) {
  CallEnd end;
  StoredText text, arguments;
  Query query = archive.database().query("answer_to", row_of_research_run(archive, run), step);
  if (!query.step()) return std::nullopt;
  query.read(end.answered, end.fault, end.model, end.stop, end.tokens_in, end.tokens_out,
             end.tokens_cached, end.usd, end.seconds, text.text, text.object, arguments.text,
             arguments.object);
  end.text = archive.objects().fetch(text);
  end.arguments = archive.objects().fetch(arguments);
  return end;
}

namespace {

void add_texts(Archive& archive, CallRecord& call) {
  StoredText prompt, text, arguments;
  Query query = archive.database().query("call_texts", call.number);
  if (!query.step()) return;
  query.read(prompt.text, prompt.object, text.text, text.object, arguments.text, arguments.object);
  call.start.prompt = archive.objects().fetch(prompt);
  if (!call.end) return;
  call.end->text = archive.objects().fetch(text);
  call.end->arguments = archive.objects().fetch(arguments);
}

}  // namespace

std::vector<CallRecord> calls_of(Archive& archive, const std::string& run, bool with_texts) {
  std::vector<CallRecord> calls;
  for (Query query = archive.database().query("calls_of_run", row_of_research_run(archive, run));
       query.step();) {
    CallRecord& call = calls.emplace_back();
    CallEnd end;
    bool ended = false;
    query.read(call.number, call.created, call.start.step, call.start.role, call.start.model,
               call.start.template_hash, call.start.reserved_usd, ended, end.answered, end.fault,
               end.model, end.stop, end.tokens_in, end.tokens_out, end.tokens_cached, end.usd,
               end.seconds);
    call.start.run = run;
    if (ended) call.end = end;
    if (with_texts) add_texts(archive, call);
  }
  return calls;
}

Spending spending_of(Archive& archive, const std::string& run) {
  Spending s;
  if (Query query = archive.database().query("spending_of_run", row_of_research_run(archive, run));
      query.step())
    query.read(s.calls, s.answered, s.tokens_in, s.tokens_out, s.tokens_cached, s.usd, s.seconds);
  return s;
}

}  // namespace hone::store
