#include "mcp/tool.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "base/fields.h"
#include "base/words.h"

namespace hone::mcp {
namespace {

using base::ExitCode;
using base::RawJson;
using Schema = std::map<std::string, RawJson>;

Schema schema_from(const std::string& text) {
  Schema schema;
  base::read_json(text, base::description_of(schema));
  return schema;
}

std::map<std::string, RawJson> properties_of(const std::string& schema) {
  std::map<std::string, RawJson> properties;
  base::read_json(schema, [&](base::Fields& f) { f.optional("properties", properties); });
  return properties;
}

std::vector<Tool> all_tools() {
  std::vector<Tool> all;
  for (auto* make : {task_tools, judging_tools, archive_tools, run_tools})
    for (auto& tool : make()) all.push_back(std::move(tool));
  return all;
}

}  // namespace

void describe(base::Fields& f, Answer& answer) {
  f("text", answer.text)("json", answer.json)("evals", answer.evals);
  f("usd", answer.usd);
}

const std::vector<Tool>& tools() {
  static const std::vector<Tool> all = all_tools();
  return all;
}

const Tool* find_tool(const std::string& name) {
  for (const auto& tool : tools())
    if (tool.name == name) return &tool;
  return nullptr;
}

std::string closed_schema(const std::string& text) {
  Schema schema = schema_from(text);
  schema["additionalProperties"].text = "false";
  return base::json_line(schema);
}

std::string any_schema(const std::vector<std::string>& schemas) {
  return base::json_line([&](base::Fields& f) {
    f("type", "object");
    f.list("anyOf", schemas, [&](const std::string& schema) {
      RawJson raw{schema};
      f.value(raw);
    });
  });
}

void read_arguments(const std::string& json, const std::string& schema,
                    const base::Description& arguments) {
  if (!base::is_json_object(json))
    base::fail(ExitCode::usage, "the arguments are no object with names");
  const auto known = properties_of(schema);
  std::map<std::string, RawJson> given;
  base::read_json(json, base::description_of(given));
  std::string names;
  for (const auto& [name, part] : known) names += (names.empty() ? "" : ", ") + name;
  for (const auto& [name, part] : given)
    if (!known.contains(name))
      base::fail(ExitCode::usage, "there is no argument \"{}\"; there are: {}",
                 base::valid_utf8(name.substr(0, 60)), names.empty() ? "none" : names);
  base::read_json(json, arguments);
}

void require_range(const char* argument, double value, double least, double most) {
  if (!(value >= least && value <= most))
    base::fail(ExitCode::usage, "\"{}\" is {:g}: it is a number from {:g} to {:g}", argument, value,
               least, most);
}

}  // namespace hone::mcp
