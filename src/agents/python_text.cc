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
  if (!read.is_object() || !read.contains("entry") || !read["entry"].is_string() || !read.contains("arguments"))
    base::fail(base::ExitCode::bad_input, "the interface.json of task {} says not how a candidate in Python is called",
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

// A value in the words of interface.json as Python writes it; tensors and scalars of the task by their names.
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

std::string arguments_text(const json& arguments) { return in_one_line(list_text(arguments), longest_value); }

std::string model_text(const json& interface) {
  std::string text = fmt::format(
      "It defines `class ModelNew(torch.nn.Module)`. Once: `model = ModelNew({})`, on the CPU, after "
      "`torch.manual_seed`, and then `model.to(device)`. In every call: `model({})`, so `forward` takes these "
      "arguments "
      "in this order. The constructor must not need the inputs.\n",
      arguments_text(interface.value("init", json::array())), arguments_text(interface["arguments"]));
  std::string list;
  for (const auto& weight : interface.value("weights", json::array()))
    list += fmt::format("- `{}` {}, the input `{}` of the task\n", weight.value("name", ""),
                        weight.value("shape", json::array()).dump(), weight.value("tensor", ""));
  if (list.empty()) return text;
  return text +
         "\nThe problem has parameters. Declare each in the constructor as an `nn.Parameter` of the same name and "
         "shape "
         "(by the same submodules as the reference, say); its values there mean nothing:\n" +
         list +
         "\nThe judge lays other weights into them for **every call**, just in time, in the judge's own memory. Read "
         "them in `forward`. Nothing that is derived from weights (transposed, packed, folded, in another type) may be "
         "prepared in the constructor or kept from an earlier call: it is stale, and the result wrong. What preparing "
         "costs is part of the call.\n";
}

std::string names_of(const json& object) {
  std::string text;
  for (const auto& [name, content] : object.items()) text += fmt::format("{}`{}`", text.empty() ? "" : ", ", name);
  return text;
}

std::string function_text(const json& interface) {
  std::string text = fmt::format(
      "It defines a function `custom_kernel`, called in every call as `custom_kernel({})`. What depends on no "
      "input (compiled kernels, say) is made once, at import or in the first call.\n",
      arguments_text(interface["arguments"]));
  if (interface.contains("cases") && !interface["cases"].empty())
    text += "Some cases are called with arguments of their own.\n";
  const auto buffers = names_of(interface.value("buffers", json::object())),
             files = names_of(interface.value("files", json::object()));
  if (!buffers.empty())
    text += fmt::format("Of these {} is memory to be written: the result may be put there and given back.\n", buffers);
  if (!files.empty()) text += fmt::format("These modules of the problem can be imported: {}.\n", files);
  return text;
}

}  // namespace

std::string python_entry(const core::Task& task) { return interface_of(task)["entry"].get<std::string>(); }

std::string python_call_text(const core::Task& task) {
  const json interface = interface_of(task);
  try {
    std::string text = interface["entry"] == "ModelNew" ? model_text(interface) : function_text(interface);
    return std::string(trimmed(text));
  } catch (const json::exception& error) {
    base::fail(base::ExitCode::bad_input, "the interface.json of task {}: {}", task.name, error.what());
  }
}

}  // namespace hone::agents
