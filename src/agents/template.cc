#include "agents/template.h"

#include <charconv>

#include "agents/text.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/resources.h"

namespace hone::agents {
namespace {

// Every {{name}} replaced, once: what was put in is not looked at again. `lacks` becomes true where
// a name has nothing to say.
std::string fill(std::string_view text, const Values& values, const std::string& file,
                 bool& lacks) {
  std::string out;
  while (true) {
    const auto open = text.find("{{");
    const auto close = open == std::string_view::npos ? open : text.find("}}", open);
    if (close == std::string_view::npos) return out.append(text);
    const std::string name(trimmed(text.substr(open + 2, close - open - 2)));
    const auto value = values.texts.find(name);
    if (value == values.texts.end())
      base::fail(base::ExitCode::environment,
                 "prompts/{}.md: there is no {{{{{}}}}} in this prompt", file, name);
    lacks = lacks || value->second.empty();
    out.append(text.substr(0, open)).append(value->second);
    text.remove_prefix(close + 2);
  }
}

// The number in "Title {drop=40}", taken off the title.
int take_drop(std::string_view& title) {
  constexpr std::string_view opening = "{drop=";
  const auto at = title.rfind(opening);
  if (at == std::string_view::npos) return 0;
  int drop = 0;
  const auto digits = title.substr(at + opening.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), drop);
  title = trimmed(title.substr(0, at));
  return drop;
}

void add_section(llm::Prompt& prompt, std::string_view title, std::string_view body,
                 const Values& values, const std::string& file) {
  const int drop = take_drop(title);
  if (title.starts_with("{{") && title.ends_with("}}")) {
    const auto made = values.sections.find(std::string(trimmed(title.substr(2, title.size() - 4))));
    if (made != values.sections.end())
      return void(
          prompt.sections.insert(prompt.sections.end(), made->second.begin(), made->second.end()));
  }
  bool lacks = false;
  llm::Section section{fill(title, values, file, lacks), fill(trimmed(body), values, file, lacks),
                       drop};
  if (!lacks) prompt.sections.push_back(std::move(section));
}

}  // namespace

std::string part(const std::string& name, Values& values) {
  bool ignored = false;
  values.used.push_back(base::resource("prompts/" + name + ".md"));
  return fill(trimmed(values.used.back()), values, name, ignored);
}

llm::Prompt filled(const std::string& name, const Values& values) {
  const auto text = base::resource("prompts/" + name + ".md");
  llm::Prompt prompt;
  std::string title, body;
  bool in_section = false;
  const auto finish = [&] {
    bool ignored = false;
    if (in_section)
      add_section(prompt, title, body, values, name);
    else
      prompt.system = fill(trimmed(body), values, name, ignored);
    body.clear();
  };
  for (const auto line : lines_of(text)) {
    if (line.starts_with("# ")) {
      finish();
      title = std::string(trimmed(line.substr(2)));
      in_section = true;
    } else {
      body.append(line).append("\n");
    }
  }
  finish();
  base::Hasher hasher;
  hasher.add(text);
  for (const auto& used : values.used) hasher.add(used);
  prompt.template_hash = hasher.hex();
  return prompt;
}

}  // namespace hone::agents
