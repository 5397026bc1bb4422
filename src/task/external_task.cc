#include "task/external_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/hash.h"
#include "task/candidate_loader.h"
#include "task/toml_reader.h"

namespace hone::task {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_seeds = 16, longest_extension = 16;
constexpr std::int64_t format = 1;

const std::vector<std::string> external_keys = {"hone",      "kind",     "name",      "summary",
                                                "statement", "language", "extension", "knowledge",
                                                "seeds",     "case"};

bool is_plain(unsigned char c) { return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-'); }

// A task may come from a stranger: its files lie in its own folder and nowhere else.
bool is_file_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name && name[0] != '.' &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return is_plain(c) || c == '.'; });
}

bool is_label(std::string_view name, std::string_view more = "") {
  return !name.empty() && name.size() <= longest_name && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), [&](unsigned char c) {
           return is_plain(c) || more.find(static_cast<char>(c)) != more.npos;
         });
}

class ExternalParser {
 public:
  ExternalParser(std::string_view toml, const fs::path& folder, Complaints& complaints,
                 core::Task& task)
      : read_(toml, 0, complaints), folder_(folder), task_(task) {}

  void run() {
    const auto table = read_.parse();
    if (!table) return;
    const Section root{&*table, "task.toml"};
    read_.only(root, external_keys);
    if (const auto version = read_.integer(read_.need(root, "hone"), "hone");
        version && *version != format)
      read_.complain(read_.key_place(root, "hone"),
                     fmt::format("this hone knows tasks of format {}", format));
    header(root);
    files(root);
    if (read_.find(root, "case") == nullptr)
      read_.complain(
          {}, "there is no [[case]]: the evaluator's times are told by the names of the cases");
    std::set<std::string> names;
    for (const auto& section : read_.sections(root, "case", most_cases)) a_case(section, names);
  }

 private:
  void header(const Section& root) {
    const auto* node = read_.need(root, "name");
    if (const auto name = read_.string(node, "name")) {
      task_.name = *name;
      if (!is_label(*name))
        read_.complain(
            read_.inside(*node),
            fmt::format("{} cannot be a task's name: it has letters, digits, - and _, {} at most",
                        quote(*name), longest_name));
    }
    node = read_.need(root, "summary");
    if (const auto summary = read_.string(node, "summary")) {
      task_.summary = *summary;
      if (summary->find_first_not_of(" \n\t") == std::string::npos)
        read_.complain(read_.place(*node),
                       "the summary is empty: one sentence says what is computed");
    }
    node = read_.need(root, "extension");
    if (const auto extension = read_.string(node, "extension")) {
      task_.external->extension = *extension;
      if (!is_label(*extension) || extension->size() > longest_extension)
        read_.complain(
            read_.inside(*node),
            fmt::format("{} cannot be a file's ending: it is written without the dot, as in \"py\"",
                        quote(*extension)));
    }
    task_.external->language = task_.external->extension;
    if (const auto language = read_.string(read_.find(root, "language"), "language"))
      task_.external->language = *language;
    knowledge(root);
  }

  void knowledge(const Section& root) {
    const auto* words = read_.array(read_.find(root, "knowledge"), "knowledge");
    for (std::size_t i = 0; words != nullptr && i < words->size(); ++i)
      if (const auto word = read_.string(words->get(i), "a word of knowledge")) {
        if (!is_label(*word))
          read_.complain(
              read_.inside(*words->get(i)),
              fmt::format(
                  "{} cannot name knowledge: it is a word such as \"gpu\", \"sm_90\" or \"gfx942\"",
                  quote(*word)));
        task_.external->knowledge.push_back(*word);
      }
  }

  void files(const Section& root) {
    if (auto text = file(read_.need(root, "statement"), "statement"))
      task_.external->statement = std::move(*text);
    const auto* seeds = read_.array(read_.find(root, "seeds"), "seeds");
    if (seeds == nullptr) return;
    if (seeds->size() > most_seeds)
      return read_.complain(read_.place(*seeds), fmt::format("there are {} seeds; {} is the most",
                                                             seeds->size(), most_seeds));
    for (const auto& seed : *seeds)
      if (auto text = file(&seed, "a seed"))
        task_.external->seeds.push_back({seed.value_or(std::string()), std::move(*text)});
  }

  std::optional<std::string> file(const toml::node* node, const std::string& what) {
    const auto name = read_.string(node, what);
    if (!name) return std::nullopt;
    if (!is_file_name(*name)) {
      read_.complain(read_.inside(*node),
                     fmt::format("{} cannot be {}: it is the name of a file in the task's folder, "
                                 "of letters, digits, '.', - and _",
                                 quote(*name), what));
      return std::nullopt;
    }
    auto text = read_source(folder_ / *name);
    if (text) return *std::move(text);
    read_.complain(read_.inside(*node), fmt::format("{}: {}", *name, text.error().front().message));
    return std::nullopt;
  }

  void a_case(const Section& section, std::set<std::string>& names) {
    read_.only(section, {"name"}, external_keys);
    const auto* node = read_.need(section, "name");
    const auto name = read_.string(node, "name");
    if (!name) return;
    if (!is_label(*name, ".=,"))
      read_.complain(read_.inside(*node), fmt::format("{} cannot be a case's name: it has letters, "
                                                      "digits and - _ . = , and is {} long at most",
                                                      quote(*name), longest_name));
    if (!names.insert(*name).second)
      read_.complain(read_.inside(*node), "another case has the same name");
    core::Case which;
    which.name = *name;
    task_.cases.push_back(which);
  }

  TomlReader read_;
  const fs::path& folder_;
  core::Task& task_;
};

}  // namespace

bool is_external(std::string_view toml) {
  Complaints ignored("");
  TomlReader reader(toml, 0, ignored);
  const auto table = reader.parse();
  return table && (*table)["kind"].value_or(std::string()) == "external";
}

Diagnostics load_external(std::string_view toml, const fs::path& folder, core::Task& task) {
  Complaints complaints((folder / "task.toml").string());
  task.external.emplace();
  ExternalParser(toml, folder, complaints, task).run();
  task.hash =
      base::Hasher().add("hone external task 1").add(toml).add(task.external->statement).hex();
  return complaints.take();
}

}  // namespace hone::task
