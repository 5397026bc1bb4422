#include "task/interface.h"

#include <algorithm>

#include "base/error.h"
#include "base/json.h"

namespace hone::task {

using base::Fields;

std::string Coded::name() const {
  const auto text = base::from_json<std::string>(content.text);
  return text ? *text : "";
}

std::string python_literal(const base::RawJson& value) {
  return value.text == "null"    ? "None"
         : value.text == "true"  ? "True"
         : value.text == "false" ? "False"
                                 : value.text;
}

void describe(Fields& f, Coded& coded) {
  if (f.reading()) {
    const auto kinds = f.names();
    if (kinds.size() != 1)
      base::fail(base::ExitCode::bad_input, "a value has {} kinds instead of one", kinds.size());
    coded.kind = kinds.front();
  }
  const bool is_list = coded.kind == "list" || coded.kind == "tuple";
  if (is_list) f(coded.kind, coded.parts);
  if (!is_list && coded.kind != "dict") f(coded.kind, coded.content);
  if (coded.kind != "dict") return;
  std::vector<std::pair<base::RawJson, Coded>> entries;
  for (std::size_t i = 0; i < coded.parts.size(); ++i)
    entries.emplace_back(coded.keys.at(i), coded.parts[i]);
  f(coded.kind, entries);
  coded.keys.clear();
  coded.parts.clear();
  for (auto& [key, part] : entries) {
    coded.keys.push_back(std::move(key));
    coded.parts.push_back(std::move(part));
  }
}

void describe(Fields& f, Weight& weight) {
  f.optional("name", weight.name).optional("tensor", weight.tensor).optional("shape", weight.shape);
}

namespace {

void read(Fields& f, Interface& interface) {
  std::map<std::string, base::RawJson> buffers, cases;
  f.optional("entry", interface.entry).optional("init", interface.init);
  f.sparse("arguments", interface.arguments);
  f.optional("cases", cases).optional("weights", interface.weights).optional("buffers", buffers);
  f.optional("files", interface.files).optional("bools", interface.bools);
  f.optional("shapes", interface.shapes).optional("orders", interface.orders);
  f.optional("types", interface.types).optional("sequence", interface.sequence);
  for (const auto& [name, buffer] : buffers)
    interface.buffers[name] = base::text_field(buffer.text, "of");
  for (const auto& [name, one] : cases)
    base::read_json(one.text, [&, &name = name](Fields& own) {
      own.optional("arguments", interface.case_arguments[name]);
    });
}

}  // namespace

bool Interface::is_bool(const std::string& tensor) const {
  return std::find(bools.begin(), bools.end(), tensor) != bools.end();
}

Interface interface_of(const core::Task& task) {
  Interface interface;
  try {
    if (task.interface) base::read_json(*task.interface, [&](Fields& f) { read(f, interface); });
  } catch (const base::Error& error) {
    base::fail(base::ExitCode::bad_input, "the interface.json of task {} cannot be read: {}",
               task.name, error.what());
  }
  return interface;
}

}  // namespace hone::task
