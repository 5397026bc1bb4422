#include "agents/python_text.h"

#include <fmt/format.h>

#include "agents/text.h"
#include "base/error.h"
#include "task/interface.h"

namespace hone::agents {
namespace {

using task::Coded;
using task::Interface;

constexpr std::size_t longest_value = 400;  // a list of numbers may be long

// Bundles and people bring interfaces: what does not read is said, once.
Interface interface_to_tell(const core::Task& task) {
  Interface interface = task::interface_of(task);
  if (interface.entry.empty() || !interface.arguments)
    base::fail(base::ExitCode::bad_input,
               "the interface.json of task {} says not how a candidate in Python is called",
               task.name);
  return interface;
}

std::string python_text(const Coded& coded);

std::string list_text(const std::vector<Coded>& list) {
  std::string text;
  for (const auto& one : list) text += (text.empty() ? "" : ", ") + python_text(one);
  return text;
}

// A value in the words of interface.json as Python writes it; tensors and scalars of the task by
// their names.
std::string python_text(const Coded& coded) {
  if (coded.kind == "value") return task::python_literal(coded.content);
  if (coded.kind == "float") return fmt::format("float({})", task::python_literal(coded.content));
  if (coded.kind == "list") return "[" + list_text(coded.parts) + "]";
  if (coded.kind == "tuple")
    return "(" + list_text(coded.parts) + (coded.parts.size() == 1 ? ",)" : ")");
  if (coded.kind == "dict") {
    std::string text;
    for (std::size_t i = 0; i < coded.parts.size(); ++i)
      text += (i == 0 ? "" : ", ") + task::python_literal(coded.keys[i]) + ": " +
              python_text(coded.parts[i]);
    return "{" + text + "}";
  }
  const std::string name = coded.name();
  return name.empty() ? "?" : name;
}

std::string arguments_text(const std::vector<Coded>& arguments) {
  return in_one_line(list_text(arguments), longest_value);
}

std::string weights_text(const Interface& interface) {
  std::string list;
  for (const auto& weight : interface.weights)
    list += fmt::format("{}- `{}` {}, the input `{}` of the task", list.empty() ? "" : "\n",
                        weight.name, weight.shape.text, weight.tensor);
  return list;
}

std::string names_of(const auto& map) {
  std::string text;
  for (const auto& [name, content] : map)
    text += fmt::format("{}`{}`", text.empty() ? "" : ", ", name);
  return text;
}

}  // namespace

std::string python_entry(const core::Task& task) { return interface_to_tell(task).entry; }

void add_python_call(const core::Task& task, Values& values) {
  const Interface interface = interface_to_tell(task);
  auto& texts = values.texts;
  texts["init"] = arguments_text(interface.init);
  texts["arguments"] = arguments_text(*interface.arguments);
  texts["weights"] = weights_text(interface);
  texts["buffers"] = names_of(interface.buffers);
  texts["files"] = names_of(interface.files);
  texts["entry"] = interface.entry;
  texts["call"] = part(task.function                  ? "python_call.function"
                       : texts["entry"] == "ModelNew" ? "python_call.ModelNew"
                                                      : "python_call.custom_kernel",
                       values);
  for (const char* more : {"weights", "buffers", "files"})
    if (!texts[more].empty())
      texts["call"] += "\n\n" + part(std::string("python_call.") + more, values);
}

}  // namespace hone::agents
