#pragma once
// What Hone knows beside the archive's verdicts: the cards that are shipped (hardware, techniques),
// whole or by their sections, and findings. Searched by words; nothing is asked of a model.
#include <string>
#include <vector>

#include "app/common_options.h"
#include "base/fields_fwd.h"

namespace hone::app {

struct KnowledgeCard {
  std::string name, title, text;  // "hopper"; its first heading; whole
};
std::vector<KnowledgeCard> knowledge_cards();  // by name

struct SearchKnowledgeRequest : CommonOptions {
  std::string words;  // separated by spaces; case does not matter
  int limit = 8;
};

struct KnowledgeExcerpt {
  std::string source;  // "card hopper: Barriers", "finding 1a2b3c"
  std::string text;
  int matches = 0;  // of the words
};

struct SearchKnowledgeResult {
  std::vector<KnowledgeExcerpt> excerpts;  // those with the most of the words first
};

SearchKnowledgeResult search_knowledge(const SearchKnowledgeRequest& request);
void describe(base::Fields& fields, const SearchKnowledgeResult& result);

}  // namespace hone::app
