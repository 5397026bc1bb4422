#include "run/learn.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agents/prompts.h"
#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "run/ledger.h"
#include "run/run_lock.h"
#include "store/candidates.h"

namespace hone::run {
namespace {

using nlohmann::json;
using store::RunState;

constexpr std::size_t part_bytes = 48 << 10, largest_document = 8 << 20;
constexpr int tries = 2;

struct Document {
  std::string name, text;
};

std::vector<Document> read_documents(const std::vector<std::filesystem::path>& files) {
  std::vector<Document> documents;
  for (const auto& file : files) {
    Document document{file.filename().string(), base::read_file(file, largest_document)};
    if (document.text.find('\0') != std::string::npos)
      base::fail(base::ExitCode::bad_input,
                 "{} is not a text: give Markdown, plain text or source (a PDF can be turned "
                 "into text with pdftotext)",
                 file.string());
    documents.push_back(std::move(document));
  }
  return documents;
}

// The newest unfinished digest of the same documents for the same purpose.
std::string unfinished(store::Archive& archive, const std::string& settings) {
  constexpr int recent = 50;
  for (const auto& run : store::list_runs(archive, recent))
    if (run.settings == settings && run.state != RunState::finished) return run.id;
  return "";
}

}  // namespace

std::vector<std::string> parts_of(const std::string& document) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < document.size();) {
    std::size_t end = std::min(at + part_bytes, document.size());
    if (end < document.size())
      for (const char* border : {"\n\n", "\n", " "})
        if (const auto found = document.rfind(border, end); found != std::string::npos && found > at + part_bytes / 2) {
          end = found;
          break;
        }
    parts.push_back(document.substr(at, end - at));
    at = end;
  }
  return parts;
}

Learned learn(store::Archive& archive, const LearnOptions& options, const core::Task* task, const RoleModel& model,
              const Interrupt& interrupt, const std::function<void(const std::string&)>& say) {
  const auto documents = read_documents(options.files);
  json hashes = json::object();
  for (const auto& document : documents) hashes[document.name] = base::sha256_hex(document.text);
  const std::string settings = json{{"strategy", "learn"},
                                    {"documents", hashes},
                                    {"task", options.task_name},
                                    {"device", options.device},
                                    {"models", {{"", model.client->name()}}}}
                                   .dump();
  // A digest has no task of its own where it is for any; the archive wants one by name.
  const std::string task_hash = task != nullptr ? task->hash : base::sha256_hex("documents");
  store::record_task(archive, {task_hash, task != nullptr ? task->name : "documents", "", ""});
  Learned learned;
  learned.run = unfinished(archive, settings);
  if (learned.run.empty())
    learned.run = store::begin_run(
        archive, {.task = task_hash, .device = "documents", .device_name = "documents", .settings = settings});
  const base::Fd lock = lock_run("research", learned.run);
  Ledger ledger(archive, learned.run, options.budget, interrupt.flag());

  agents::Mission mission;
  mission.task = task;
  mission.device.arch = options.device;
  std::string stopped;
  for (const auto& document : documents) {
    const auto parts = parts_of(document.text);
    for (std::size_t i = 0; i < parts.size() && stopped.empty(); ++i) {
      const std::string step = fmt::format("learn/{}/{}", base::sha256_hex(document.text).substr(0, 12), i + 1);
      const std::string title =
          parts.size() == 1 ? document.name : fmt::format("{}, part {} of {}", document.name, i + 1, parts.size());
      if (store::decision(archive, learned.run, step)) continue;
      say("reading " + title);
      const llm::Request question = agents::ask_digest(mission, title, parts[i]);
      llm::Request again = question;
      std::optional<agents::Lesson> lesson;
      std::string problem;
      for (int attempt = 1; attempt <= tries && !lesson && stopped.empty(); ++attempt) {
        again.step = fmt::format("{}/try-{}", step, attempt);
        const auto reply = ledger.ask(model, again, say);
        if (!reply) {
          problem = reply.error().text;
          if (!llm::worth_retrying(reply.error().kind)) stopped = problem;
          break;
        }
        auto parsed = agents::parse_lesson(*reply);
        if (parsed) {
          lesson = *std::move(parsed);
        } else {
          problem = parsed.error();
          again = agents::ask_again(question, reply->arguments.empty() ? reply->text : reply->arguments, problem);
        }
      }
      if (!lesson) {
        learned.problems.push_back(fmt::format("{}: {}", title, problem));
        continue;
      }
      store::Batch batch(archive);
      store::decide_once(archive, learned.run, step, json{{"findings", lesson->findings}}.dump());
      for (const auto& text : lesson->findings)
        store::add_finding(
            archive,
            {.task = options.task_name, .device = options.device, .text = text, .source = title, .run = learned.run});
      batch.commit();
    }
  }
  const bool whole = stopped.empty() && learned.problems.empty();
  store::set_run_state(archive, learned.run, whole ? RunState::finished : RunState::stopped, stopped);
  for (const auto& finding : store::findings(archive, {.everything = true}))
    if (finding.run == learned.run) learned.findings.push_back(finding);
  learned.spending = store::spending_of(archive, learned.run);
  return learned;
}

}  // namespace hone::run
