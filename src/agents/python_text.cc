#include "agents/python_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agents/text.h"
#include "base/error.h"

namespace hone::agents {
namespace {

using nlohmann::json;

constexpr std::size_t longest_value = 400;  // a list of numbers may be long

// Bundles and people bring interfaces: what does not read is said, once.
json interface_of(const core::Task& task) {
  auto read = task.interface ? json::parse(*task.interface, nullptr, false) : json();
  if (!read.is_object() || !read.contains("entry") || !read["entry"].is_string() ||
      !read.contains("arguments"))
    base::fail(base::ExitCode::bad_input,
               "the interface.json of task {} says not how a candidate in Python is called",
               task.name);
  return read;
}

std::string python_text(const json& coded);

std::string list_text(const json& list) {
  std::string text;
  for (const auto& one : list) text += (text.empty() ? "" : ", ") + python_text(one);
  return text;
}

std::string literal(const json& value) {
  if (value.is_null()) return "None";
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// A value in the words of interface.json as Python writes it; tensors and scalars of the task by
// their names.
std::string python_text(const json& coded) {
  if (!coded.is_object() || coded.size() != 1) return "?";
  const auto& kind = coded.begin().key();
  const json& content = coded.begin().value();
  if (kind == "value") return literal(content);
  if (kind == "float") return fmt::format("float({})", literal(content));
  if (kind == "list") return "[" + list_text(content) + "]";
  if (kind == "tuple") return "(" + list_text(content) + (content.size() == 1 ? ",)" : ")");
  if (kind == "dict") {
    std::string text;
    for (const auto& one : content)
      if (one.is_array() && one.size() == 2)
        text += (text.empty() ? "" : ", ") + literal(one[0]) + ": " + python_text(one[1]);
    return "{" + text + "}";
  }
  return content.is_string() ? content.get<std::string>() : "?";
}

std::string arguments_text(const json& arguments) {
  return in_one_line(list_text(arguments), longest_value);
}

std::string weights_text(const json& interface) {
  std::string list;
  for (const auto& weight : interface.value("weights", json::array()))
    list += fmt::format("{}- `{}` {}, the input `{}` of the task", list.empty() ? "" : "\n",
                        weight.value("name", ""), weight.value("shape", json::array()).dump(),
                        weight.value("tensor", ""));
  return list;
}

std::string names_of(const json& object) {
  std::string text;
  for (const auto& [name, content] : object.items())
    text += fmt::format("{}`{}`", text.empty() ? "" : ", ", name);
  return text;
}

}  // namespace

std::string python_entry(const core::Task& task) {
  return interface_of(task)["entry"].get<std::string>();
}

void add_python_call(const core::Task& task, Values& values) {
  const json interface = interface_of(task);
  auto& texts = values.texts;
  try {
    texts["init"] = arguments_text(interface.value("init", json::array()));
    texts["arguments"] = arguments_text(interface["arguments"]);
    texts["weights"] = weights_text(interface);
    texts["buffers"] = names_of(interface.value("buffers", json::object()));
    texts["files"] = names_of(interface.value("files", json::object()));
  } catch (const json::exception& error) {
    base::fail(base::ExitCode::bad_input, "the interface.json of task {}: {}", task.name,
               error.what());
  }
  texts["entry"] = interface["entry"].get<std::string>();
  texts["call"] = part(task.function                  ? "python_call.function"
                       : texts["entry"] == "ModelNew" ? "python_call.ModelNew"
                                                      : "python_call.custom_kernel",
                       values);
  for (const char* more : {"weights", "buffers", "files"})
    if (!texts[more].empty())
      texts["call"] += "\n\n" + part(std::string("python_call.") + more, values);
}

}  // namespace hone::agents
