#include "app/knowledge.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "app/inputs.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/resources.h"
#include "store/findings.h"

namespace hone::app {
namespace {

constexpr std::string_view folder = "knowledge/", ending = ".md";
constexpr std::size_t longest_excerpt = 4000;  // bytes; a section of a card is shorter

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(lower(text));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

int matches(const std::string& text, const std::vector<std::string>& words) {
  const std::string small = lower(text);
  return static_cast<int>(std::count_if(words.begin(), words.end(), [&](const auto& word) {
    return small.find(word) != std::string::npos;
  }));
}

// The parts of a card that begin with a heading.
std::vector<KnowledgeExcerpt> sections_of(const KnowledgeCard& card) {
  std::vector<KnowledgeExcerpt> sections(1);
  sections.back().source = "card " + card.name;
  std::istringstream stream(card.text);
  bool in_code = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```")) in_code = !in_code;
    if (!in_code && line.starts_with("##"))
      sections.push_back(
          {"card " + card.name + ": " + line.substr(line.find_first_not_of("# ")), "", 0});
    sections.back().text += line + "\n";
  }
  return sections;
}

}  // namespace

std::vector<KnowledgeCard> knowledge_cards() {
  std::vector<KnowledgeCard> cards;
  for (const auto& file : base::resource_names(std::string(folder))) {
    if (!file.ends_with(ending)) continue;
    KnowledgeCard card;
    card.name = file.substr(folder.size(), file.size() - folder.size() - ending.size());
    card.text = base::resource(file);
    const auto heading = card.text.find("# ");
    if (heading != std::string::npos)
      card.title = card.text.substr(heading + 2, card.text.find('\n', heading) - heading - 2);
    cards.push_back(std::move(card));
  }
  return cards;
}

SearchKnowledgeResult search_knowledge(const SearchKnowledgeRequest& request) {
  const auto words = words_of(request.words);
  if (words.empty())
    base::fail(base::ExitCode::usage, "there is nothing to search for: give some words");
  SearchKnowledgeResult result;
  const auto add = [&](KnowledgeExcerpt excerpt) {
    excerpt.matches = matches(excerpt.source + "\n" + excerpt.text, words);
    if (excerpt.matches == 0) return;
    if (excerpt.text.size() > longest_excerpt) excerpt.text.resize(longest_excerpt);
    result.excerpts.push_back(std::move(excerpt));
  };
  for (const auto& card : knowledge_cards())
    for (auto& section : sections_of(card)) add(std::move(section));
  auto archive = archive_to_read(request);
  store::FindingFilter all;
  all.everything = true;
  for (const auto& finding : store::findings(archive, all))
    add({"finding " + finding.id, finding.text, 0});
  std::stable_sort(result.excerpts.begin(), result.excerpts.end(),
                   [](const auto& a, const auto& b) { return a.matches > b.matches; });
  const auto most = static_cast<std::size_t>(std::max(request.limit, 1));
  if (result.excerpts.size() > most) result.excerpts.resize(most);
  return result;
}

void describe(base::Fields& f, const SearchKnowledgeResult& result) {
  f.list("excerpts", result.excerpts, [&](const KnowledgeExcerpt& excerpt) {
    f("source", excerpt.source)("text", excerpt.text)("matches", excerpt.matches);
  });
}

}  // namespace hone::app
