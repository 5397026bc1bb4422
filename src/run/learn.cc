#include "run/learn.h"

#include <fmt/format.h>

#include <algorithm>

#include "agents/prompts.h"
#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "llm/prompt.h"
#include "run/ledger.h"
#include "run/run_lock.h"
#include "store/candidates.h"

namespace hone::run {
namespace {

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
                 "{} is not a text: give Markdown, plain text or source (a PDF can be turned into "
                 "text with pdftotext)",
                 file.string());
    documents.push_back(std::move(document));
  }
  return documents;
}

struct Part {
  std::string step, title, text;
};

std::vector<Part> all_parts(const std::vector<Document>& documents) {
  std::vector<Part> parts;
  for (const auto& document : documents) {
    const auto texts = parts_of(document.text);
    const std::string hash = base::sha256_hex(document.text).substr(0, 12);
    for (std::size_t i = 0; i < texts.size(); ++i)
      parts.push_back({fmt::format("learn/{}/{}", hash, i + 1),
                       texts.size() == 1
                           ? document.name
                           : fmt::format("{}, part {} of {}", document.name, i + 1, texts.size()),
                       texts[i]});
  }
  return parts;
}

// What the archive keeps of a digest as its settings.
struct DigestSettings {
  std::string strategy = "learn";
  std::vector<std::pair<std::string, std::string>> documents;  // names, which may be equal; hashes
  std::string task, device;
  bool again = false;
  std::map<std::string, std::string> models;
};

void describe(base::Fields& f, DigestSettings& settings) {
  f("strategy", settings.strategy);
  f.lenient("documents", settings.documents);
  f.optional("task", settings.task).optional("device", settings.device);
  f.optional("again", settings.again);
  f.lenient("models", settings.models);
}

// Digests for one purpose, newest first.
struct Digest {
  std::string run;
  DigestSettings settings;
  bool finished = false;
};

std::vector<Digest> digests_for(store::Archive& archive, const LearnOptions& options) {
  constexpr int all = 1 << 30;
  std::vector<Digest> digests;
  for (const auto& run : store::list_runs(archive, all)) {
    const auto settings = base::from_json<DigestSettings>(run.settings);
    if (settings && settings->strategy == "learn" && settings->task == options.task_name &&
        settings->device == options.device)
      digests.push_back({run.id, *settings, run.state == RunState::finished});
  }
  return digests;
}

// One part of a document, asked for until an answer is usable. Answers of earlier commands that
// were not are passed over: each command has tries of its own.
struct PartAnswer {
  std::optional<agents::Lesson> lesson;
  std::string problem;
  bool stopped = false;  // no other answer can be expected
};
PartAnswer digest_of(Ledger& ledger, const RoleModel& model, const llm::Request& question,
                     const std::string& step, const std::function<void(const std::string&)>& say) {
  PartAnswer answer;
  llm::Request again = question;
  for (int attempt = 1, fresh = 0; fresh < tries && !answer.lesson; ++attempt) {
    again.step = fmt::format("{}/try-{}", step, attempt);
    fresh += ledger.knows(again.step) ? 0 : 1;
    const auto reply = ledger.ask(model, again, say).answer;
    if (!reply) {
      answer.problem = reply.error().text;
      answer.stopped = !llm::worth_retrying(reply.error().kind);
      return answer;
    }
    auto parsed = agents::parse_lesson(*reply);
    if (parsed) {
      answer.lesson = *std::move(parsed);
    } else {
      answer.problem = parsed.error();
      again = agents::ask_again(question, reply->arguments.empty() ? reply->text : reply->arguments,
                                answer.problem);
    }
  }
  return answer;
}

}  // namespace

std::vector<std::string> parts_of(const std::string& document) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < document.size();) {
    std::size_t end = std::min(at + part_bytes, document.size());
    if (end < document.size())
      for (const char* border : {"\n\n", "\n", " "})
        if (const auto found = document.rfind(border, end);
            found != std::string::npos && found > at + part_bytes / 2) {
          end = found;
          break;
        }
    parts.push_back(document.substr(at, end - at));
    at = end;
  }
  return parts;
}

Learned learn(store::Archive& archive, const LearnOptions& options, const core::Task* task,
              const RoleModel& model, const std::atomic<bool>& cancelled,
              const std::function<void(const std::string&)>& say) {
  const auto documents = read_documents(options.files);
  DigestSettings settings{.task = options.task_name, .device = options.device};
  for (const auto& document : documents)
    settings.documents.emplace_back(base::valid_utf8(document.name),
                                    base::sha256_hex(document.text));
  const auto digests = digests_for(archive, options);
  Learned learned;
  bool again = options.again;
  for (const auto& digest : digests)
    if (learned.run.empty() && !digest.finished &&
        digest.settings.documents == settings.documents) {
      learned.run = digest.run;
      again = again || digest.settings.again;
    }
  std::vector<Part> parts;
  for (const auto& part : all_parts(documents)) {
    const auto known = std::find_if(digests.begin(), digests.end(), [&](const Digest& digest) {
      return (digest.run == learned.run || !again) &&
             store::decision(archive, digest.run, part.step);
    });
    if (known == digests.end())
      parts.push_back(part);
    else if (known->run != learned.run)
      learned.known.push_back(fmt::format("{} (run {})", part.title, known->run));
  }
  if (parts.empty() && learned.run.empty()) return learned;
  if (learned.run.empty()) {
    // A digest has no task of its own where it is for any; the archive wants one by name.
    const std::string task_hash = task != nullptr ? task->hash : base::sha256_hex("documents");
    store::record_task(archive, {task_hash, task != nullptr ? task->name : "documents", "", ""});
    settings.again = again;
    settings.models = {{"", model.client->name()}};
    learned.run = store::begin_run(archive, {.task = task_hash,
                                             .device = "documents",
                                             .device_name = "documents",
                                             .settings = base::json_line(settings)});
  }
  const base::Fd lock = lock_run("research", learned.run);
  store::set_run_state(archive, learned.run, RunState::running);
  SharedArchive shared(archive);
  Ledger ledger(shared, learned.run, options.budget, cancelled);

  agents::Mission mission;
  mission.task = task;
  mission.device.arch = options.device;
  std::string stopped;
  for (const auto& part : parts) {
    if (store::decision(archive, learned.run, part.step))
      continue;  // the same text under two names
    say("reading " + part.title);
    const auto answer = digest_of(ledger, model, agents::ask_digest(mission, part.title, part.text),
                                  part.step, say);
    if (!answer.lesson) {
      learned.problems.push_back(fmt::format("{}: {}", part.title, answer.problem));
      if (answer.stopped) stopped = answer.problem;
      if (answer.stopped) break;
      continue;
    }
    store::ArchiveTransaction batch(archive);
    store::decide_once(archive, learned.run, part.step, base::json_line([&](base::Fields& f) {
                         f("findings", answer.lesson->findings);
                       }));
    for (const auto& text : answer.lesson->findings)
      store::add_finding(archive, {.task = options.task_name,
                                   .device = options.device,
                                   .text = text,
                                   .source = part.title,
                                   .run = learned.run});
    batch.commit();
  }
  const bool whole = stopped.empty() && learned.problems.empty();
  store::set_run_state(archive, learned.run, whole ? RunState::finished : RunState::stopped,
                       stopped);
  for (const auto& finding : store::findings(archive, {.everything = true}))
    if (finding.run == learned.run) learned.findings.push_back(finding);
  learned.spending = store::spending_of(archive, learned.run);
  return learned;
}

}  // namespace hone::run
