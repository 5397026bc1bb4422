// Tools that read the archive and what Hone knows.
#include <fmt/format.h>

#include <filesystem>

#include "app/best.h"
#include "app/knowledge.h"
#include "app/runs.h"
#include "app/show.h"
#include "base/error.h"
#include "base/fields.h"
#include "mcp/tool.h"
#include "text/record_text.h"

namespace hone::mcp {
namespace {

// What has no slash, dot or other character of a path names nothing but records of the archive.
std::string id_from(const Call& call, const std::string& id, const char* argument) {
  constexpr std::size_t longest = 100;
  const bool plain =
      id.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:") ==
      std::string::npos;
  if (id.empty() || id.size() > longest || !plain)
    base::fail(base::ExitCode::usage,
               "\"{}\" is no id: give that of a run, an evaluation, a profile or a candidate, or a "
               "prefix of it, or RUN:00012 for a candidate of a run",
               argument);
  std::error_code ec;
  if (std::filesystem::exists(id, ec)) inside(call.place, id, argument);
  return id;
}

// ---- search_knowledge

struct SearchKnowledge : app::SearchKnowledgeRequest {};
void describe(base::Fields& f, SearchKnowledge& a) {
  f("words", a.words, "What to look for, such as 'coalescing' or 'swizzle shared memory'.");
  f.optional("limit", a.limit, "Excerpts (default: 8).");
}
app::SearchKnowledgeResult search_knowledge(SearchKnowledge& a, Call& call) {
  static_cast<app::CommonOptions&>(a) = call.place.common;
  require_range("limit", a.limit, 1, 50);
  return app::search_knowledge(a);
}
std::string knowledge_text(const SearchKnowledge&, const app::SearchKnowledgeResult& result) {
  if (result.excerpts.empty()) return "Nothing has one of these words.\n";
  std::string text;
  for (const auto& excerpt : result.excerpts)
    text += fmt::format("## {}\n{}\n\n", excerpt.source, excerpt.text);
  return text;
}

// ---- show

struct Show : app::ShowRequest {};
void describe(base::Fields& f, Show& a) {
  f("id", a.id,
    "Of an evaluation, a profile or a candidate, or a prefix of it; RUN:00012 for a candidate of a "
    "run; a run's for its best.");
}
app::ShowResult show(Show& a, Call& call) {
  static_cast<app::CommonOptions&>(a) = call.place.common;
  a.id = id_from(call, a.id, "id");
  return app::show(a);
}
std::string shown_text(const Show&, const app::ShowResult& result) {
  return std::visit(
      [](const auto& record) -> std::string {
        if constexpr (requires { text::record_text(record, {}); })
          return text::record_text(record, {});
        return "";  // the tree of a run, which this tool does not ask for
      },
      result.shown);
}
std::string shown_schema() {
  const auto schema_of = [](app::ShowResult result) {
    return base::write_schema([&](base::Fields& f) { f.value(result); });
  };
  return any_schema({schema_of({store::CandidateHistory{}}), schema_of({store::EvaluationRecord{}}),
                     schema_of({store::ProfileRecord{}})});
}

// ---- best

struct Best : app::BestRequest {};
void describe(base::Fields& f, Best& a) {
  f("run", a.run, "The run's id, or a prefix of it.");
  f.optional("out", a.out, "Write the source to this file.");
  f.optional("force", a.force, "Overwrite a file that holds something else.");
}
app::BestResult best(Best& a, Call& call) {
  static_cast<app::CommonOptions&>(a) = call.place.common;
  a.run = id_from(call, a.run, "run");
  if (!a.out.empty()) a.out = candidate_inside(call.place, a.out, "out");
  return app::best(a);
}
std::string best_text(const Best&, const app::BestResult& result) {
  return result.provenance + "\n" +
         (result.written.empty() ? fmt::format("\n```\n{}\n```\n", result.candidate.source)
                                 : fmt::format("wrote {}\n", result.written));
}

// ---- list_runs

struct ListRuns : app::RunsRequest {};
void describe(base::Fields& f, ListRuns& a) { f.optional("limit", a.limit, "Runs (default: 20)."); }
app::RunsResult list_runs(ListRuns& a, Call& call) {
  static_cast<app::CommonOptions&>(a) = call.place.common;
  require_range("limit", a.limit, 1, 200);
  return app::runs(a);
}

}  // namespace

std::vector<Tool> archive_tools() {
  using enum Tool::Runs;
  Tool showing{"show", "Show a record",
               "Shows everything about one evaluation, profile or candidate, with the source.",
               here, true};
  showing.result = shown_schema();
  return {
      make_tool({"search_knowledge", "Search what Hone knows",
                 "Searches the knowledge cards (hardware, techniques, code fragments) and the "
                 "findings of earlier runs by words.",
                 here, true},
                search_knowledge, knowledge_text),
      make_tool(std::move(showing), show, shown_text),
      make_tool({"best", "Show the best of a run",
                 "Gives the source of a run's best candidate, as it was judged, or writes it to a "
                 "file.",
                 here},
                best, best_text),
      make_tool({"list_runs", "List runs",
                 "Lists runs of models and tuning runs, newest first, with what came of them.",
                 here, true},
                list_runs),
  };
}

}  // namespace hone::mcp
