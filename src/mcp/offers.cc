#include "mcp/offers.h"

#include <fmt/format.h>

#include "app/knowledge.h"
#include "app/tasks.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/resources.h"

namespace hone::mcp {
namespace {

using base::ExitCode;

constexpr std::string_view task_uri = "hone://task/", format_uri = "hone://format/",
                           card_uri = "hone://knowledge/", node_uri = "hone://node/",
                           guide_uri = "hone://guide";
constexpr const char* formats[] = {"cuda", "opencl"};
constexpr const char* prompt_name = "faster-kernel";

// As URIs have it: "%20" for a space.
std::string decoded(std::string_view text) {
  std::string plain;
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool coded =
        text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    plain += coded ? static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])) : text[i];
    if (coded) i += 2;
  }
  return plain;
}

std::string encoded(std::string_view path) {
  std::string text;
  for (const char c : path) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

std::string node_source(const std::string& name, const AnswerOf& answer_of) {
  const auto slash = name.find('/');
  if (slash == std::string::npos)
    base::fail(ExitCode::bad_input, "{}{}: a node is named RUN/00012", node_uri, name);
  const std::string id = name.substr(0, slash) + ":" + name.substr(slash + 1);
  const Answer answer = answer_of("show", base::json_line([&](base::Fields& f) { f("id", id); }));
  return base::text_field(answer.json, "source");
}

struct Template {
  const char *uri, *name, *title, *about;
};
constexpr Template templates[] = {
    {"hone://task/{folder}", "task", "A task",
     "What a task asks for: tensors, cases, tolerance, reference, seeds"},
    {"hone://knowledge/{card}", "knowledge", "A knowledge card", "Hardware and techniques"},
    {"hone://node/{run}/{number}", "node", "A candidate of a run", "Its source, as it was judged"},
};

struct PromptArguments {
  std::string task, kernel, goal;
};
void describe(base::Fields& f, PromptArguments& a) {
  f("task", a.task).optional("kernel", a.kernel).optional("goal", a.goal);
}

}  // namespace

std::string guide() { return base::resource("mcp/guide.md"); }

std::vector<Resource> resources(const Place& place) {
  std::vector<Resource> list = {
      {std::string(guide_uri), "guide", "How to use these tools", "For coding agents, in a page"}};
  for (const char* format : formats)
    list.push_back({std::string(format_uri) + format, std::string("format-") + format,
                    std::string("How a candidate is written: ") + format,
                    "The launch plan and the rules of the language"});
  for (const auto& card : app::knowledge_cards())
    list.push_back({std::string(card_uri) + card.name, "knowledge-" + card.name, card.title,
                    "A knowledge card"});
  for (const auto& task : app::tasks({listed_inside(place, ".", "folder")}).tasks)
    if (task.mistake.empty())
      list.push_back({std::string(task_uri) + encoded(task.task), "task-" + task.name,
                      "Task " + task.name, task.summary});
  return list;
}

void describe_resources(base::Fields& f, const std::vector<Resource>& list) {
  f.list("resources", list, [&](const Resource& one) {
    f("uri", one.uri)("name", one.name)("title", one.title)("description", one.about);
    f("mimeType", "text/markdown");
  });
}

void describe_templates(base::Fields& f) {
  const std::vector<Template> list(std::begin(templates), std::end(templates));
  f.list("resourceTemplates", list, [&](const Template& one) {
    f("uriTemplate", one.uri)("name", one.name)("title", one.title)("description", one.about);
    f("mimeType", "text/plain");
  });
}

std::optional<std::string> read_resource(const Place&, const std::string& uri,
                                         const AnswerOf& answer_of) {
  const auto rest = [&](std::string_view prefix) { return decoded(uri.substr(prefix.size())); };
  if (uri == guide_uri) return guide();
  for (const char* format : formats)
    if (uri == std::string(format_uri) + format)
      return base::resource(fmt::format("prompts/candidate_format.{}.md", format));
  if (uri.starts_with(card_uri))
    for (const auto& card : app::knowledge_cards())
      if (card.name == rest(card_uri)) return card.text;
  if (uri.starts_with(task_uri))
    return answer_of("describe_task", base::json_line([&](base::Fields& f) {
                       f("task", base::valid_utf8(rest(task_uri)))("format", false);
                     }))
        .text;
  if (uri.starts_with(node_uri)) return node_source(base::valid_utf8(rest(node_uri)), answer_of);
  return std::nullopt;
}

void describe_prompts(base::Fields& f) {
  struct Argument {
    const char *name, *about;
    bool required;
  };
  const std::vector<Argument> arguments = {
      {"task", "The task's folder, or a problem such as kernelbench:level1/23", true},
      {"kernel", "The kernel to begin with (default: the task's seed)", false},
      {"goal", "When it is good enough, such as '2 times as fast' (default: as fast as it gets)",
       false}};
  f.list("prompts", std::vector{prompt_name}, [&](const char* name) {
    f("name", name)("title", "Make this kernel faster with Hone");
    f("description", "Improve a kernel step by step, with verdicts that can be believed");
    f.list("arguments", arguments, [&](const Argument& one) {
      f("name", one.name)("description", one.about)("required", one.required);
    });
  });
}

std::optional<std::string> prompt_text(const std::string& name, const std::string& arguments) {
  if (name != prompt_name) return std::nullopt;
  PromptArguments given;
  base::read_json(arguments, base::description_of(given));
  const std::string kernel =
      given.kernel.empty() ? "the seed that the task comes with" : given.kernel;
  const std::string goal = given.goal.empty() ? "as fast as it gets" : given.goal;
  return fmt::format(
      "Make a kernel for the task {} faster with Hone's tools. Begin with {}. Goal: {}.\n\n{}",
      given.task, kernel, goal, guide());
}

}  // namespace hone::mcp
