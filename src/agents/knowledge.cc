#include <algorithm>
#include <cctype>

#include "agents/prompts.h"
#include "agents/text.h"
#include "base/resources.h"

namespace hone::agents {
namespace {

constexpr std::string_view heading = "For:";

// "sm_90" is for an "sm_90a", "gfx942" for a "gfx942:sramecc+"; "sm_9" is for none of them.
bool names_arch(std::string_view word, std::string_view arch) {
  if (word.size() < 4 || !arch.starts_with(word)) return false;
  return arch.size() == word.size() ||
         std::isdigit(static_cast<unsigned char>(arch[word.size()])) == 0;
}

// How closely one word of a card fits the device: 3 an architecture, 2 a language, 1 a kind, 0 any;
// -1: not at all.
int closeness_of(std::string_view word, const core::DeviceInfo& device) {
  if (names_arch(word, device.arch) || names_arch(word, lower(device.name))) return 3;
  if (word == core::name_of(device.language)) return 2;
  if (word == (device.is_cpu ? "cpu" : "gpu")) return 1;
  return word == "any" ? 0 : -1;
}

// The closest of a card's words.
template <typename Closeness>
int closest(std::string_view words, const Closeness& closeness) {
  int best = -1;
  while (!words.empty()) {
    const auto from = words.find_first_not_of(" ,\t");
    if (from == std::string_view::npos) break;
    const auto end = std::min(words.find_first_of(" ,\t", from), words.size());
    best = std::max(best, closeness(words.substr(from, end - from)));
    words.remove_prefix(end);
  }
  return best;
}

template <typename Closeness>
std::vector<std::string> cards_by(const Closeness& closeness) {
  struct Card {
    int close;
    std::string text;
  };
  std::vector<Card> cards;
  for (const auto& name : base::resource_names("knowledge/")) {
    const auto file = base::resource(name);
    const auto end = std::min(file.find('\n'), file.size());
    std::string_view first = std::string_view(file).substr(0, end);
    if (!name.ends_with(".md") || !first.starts_with(heading)) continue;
    const int close = closest(trimmed(first.substr(heading.size())), closeness);
    if (close >= 0) cards.push_back({close, std::string(trimmed(file.substr(end)))});
  }
  std::stable_sort(cards.begin(), cards.end(),
                   [](const Card& a, const Card& b) { return a.close > b.close; });
  std::vector<std::string> texts;
  for (auto& card : cards) texts.push_back(std::move(card.text));
  return texts;
}

}  // namespace

std::vector<std::string> knowledge_for(const core::DeviceInfo& device) {
  return cards_by([&](std::string_view word) { return closeness_of(word, device); });
}

std::vector<std::string> knowledge_for(const std::vector<std::string>& words) {
  return cards_by([&](std::string_view word) {
    const auto found = std::find(words.begin(), words.end(), word);
    return found == words.end() ? -1 : static_cast<int>(found - words.begin());
  });
}

}  // namespace hone::agents
