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
  return arch.size() == word.size() || std::isdigit(static_cast<unsigned char>(arch[word.size()])) == 0;
}

// How closely a card's words fit the device: 3 an architecture, 2 a language, 1 a kind, 0 any; -1: not at all.
int closeness(std::string_view words, const core::DeviceInfo& device) {
  int best = -1;
  while (!words.empty()) {
    const auto from = words.find_first_not_of(" ,\t");
    if (from == std::string_view::npos) break;
    const auto end = std::min(words.find_first_of(" ,\t", from), words.size());
    const auto word = words.substr(from, end - from);
    if (word == "any") best = std::max(best, 0);
    if (word == (device.is_cpu ? "cpu" : "gpu")) best = std::max(best, 1);
    if (word == core::name_of(device.language)) best = std::max(best, 2);
    if (names_arch(word, device.arch) || names_arch(word, lower(device.name))) best = std::max(best, 3);
    words.remove_prefix(end);
  }
  return best;
}

}  // namespace

std::vector<std::string> knowledge_for(const core::DeviceInfo& device) {
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
    const int close = closeness(trimmed(first.substr(heading.size())), device);
    if (close >= 0) cards.push_back({close, std::string(trimmed(file.substr(end)))});
  }
  std::stable_sort(cards.begin(), cards.end(), [](const Card& a, const Card& b) { return a.close > b.close; });
  std::vector<std::string> texts;
  for (auto& card : cards) texts.push_back(std::move(card.text));
  return texts;
}

}  // namespace hone::agents
