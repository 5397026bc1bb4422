#include "agents/json_reply.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "agents/text.h"

namespace hone::agents {
namespace {

using nlohmann::json;

constexpr int most_tries = 16;               // braces that may stand in the prose before the object
constexpr std::size_t most_text = 4u << 20;  // bytes; no answer of a model is that long

// Corrects the two things that models get wrong most: line breaks inside strings and a comma behind
// the last item.
std::string corrected(std::string_view text) {
  std::string out;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\' && i + 1 < text.size()) {
      out += c;
      out += text[++i];
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\n')
      out += "\\n";
    else if (quoted && c == '\t')
      out += "\\t";
    else if (!quoted && c == ',' &&
             text.find_first_not_of(" \t\r\n", i + 1) != std::string_view::npos &&
             std::string_view("]}").find(text[text.find_first_not_of(" \t\r\n", i + 1)]) !=
                 std::string_view::npos)
      continue;
    else
      out += c;
  }
  return out;
}

std::optional<json> parsed(std::string_view text) {
  auto value = json::parse(text, nullptr, false);
  if (value.is_string())
    value = json::parse(value.get<std::string>(), nullptr, false);  // encoded twice
  if (value.is_discarded() || !value.is_object()) return std::nullopt;
  return value;
}

bool has_any(const json& object, const std::vector<std::string>& keys) {
  return field(object, keys) != nullptr;
}

// The object itself, or the only thing in it: {"selection": {"basis": …}}.
std::optional<json> fitting(json object, const std::vector<std::string>& keys) {
  if (has_any(object, keys)) return object;
  if (object.size() == 1 && object.front().is_object() && has_any(object.front(), keys)) {
    json inner = object.front();
    return inner;
  }
  return std::nullopt;
}

// As it stands, and else from one of its first braces to its last with the usual faults corrected.
std::optional<json> fitting_in(const llm::Reply& reply, const std::vector<std::string>& keys) {
  if (const auto text = llm::json_in(reply))
    if (auto object = parsed(*text))
      if (auto fits = fitting(*std::move(object), keys)) return fits;
  const std::string_view text = reply.arguments.empty() ? reply.text : reply.arguments;
  const auto last = text.rfind('}');
  int tries = 0;
  for (auto from = text.find('{'); from < last && last != text.npos && tries < most_tries;
       ++tries) {
    if (auto object = parsed(corrected(text.substr(from, last + 1 - from))))
      if (auto fits = fitting(*std::move(object), keys)) return fits;
    from = text.find('{', from + 1);
  }
  return std::nullopt;
}

}  // namespace

base::Result<json> object_in(const llm::Reply& reply, const std::vector<std::string>& keys) {
  llm::Reply text_only;
  text_only.text = reply.text;
  for (const auto* from : {&reply, static_cast<const llm::Reply*>(&text_only)})
    if (from->arguments.size() + from->text.size() <= most_text)
      if (auto found = fitting_in(*from, keys)) return *std::move(found);
  return base::Failure{
      fmt::format("There is no JSON object in your answer that has \"{}\". Answer with one JSON "
                  "object and nothing else.",
                  fmt::join(keys, "\" and \""))};
}

const json* field(const json& object, const std::vector<std::string>& names) {
  if (!object.is_object()) return nullptr;
  for (const auto& name : names)
    if (const auto found = object.find(name); found != object.end()) return &*found;
  return nullptr;
}

std::optional<double> number_in(const json& value) {
  if (value.is_number()) {
    const auto number = value.get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
  }
  if (!value.is_string()) return std::nullopt;
  const auto& whole = value.get_ref<const std::string&>();
  auto text = trimmed(whole);
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (ec != std::errc() || !std::isfinite(number)) return std::nullopt;
  const auto rest = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  if (!rest.empty() && rest != "%" && rest != "percent" && rest != "/100" && rest != "/ 100")
    return std::nullopt;
  return number;
}

std::string text_in(const json& value) {
  if (value.is_string()) return std::string(trimmed(value.get_ref<const std::string&>()));
  const auto* inner =
      field(value, {"text", "description", "finding", "avenue", "idea", "title", "why"});
  return inner != nullptr && inner->is_string() ? text_in(*inner) : "";
}

std::optional<bool> truth_in(const json& value) {
  if (value.is_boolean()) return value.get<bool>();
  const auto word = lower(text_in(value));
  if (word == "true" || word == "yes") return true;
  if (word == "false" || word == "no") return false;
  return std::nullopt;
}

std::optional<int> node_number_in(const json& value) {
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    return number >= 0 && number <= 1'000'000'000 ? std::optional(static_cast<int>(number))
                                                  : std::nullopt;
  }
  if (!value.is_string()) return std::nullopt;
  std::string_view text = value.get_ref<const std::string&>();
  const auto first = text.find_first_of("0123456789");
  if (first == std::string_view::npos) return std::nullopt;
  const auto front = lower(trimmed(text.substr(0, first)));
  // Prompts once called a node a member, and the answers in older recordings still do.
  const bool named = front.empty() || front == "#" || front == "id" || front == "node" ||
                     front == "node #" || front == "member" || front == "member #";
  if (!named) return std::nullopt;
  text = trimmed(text.substr(first));
  int number = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  return ec == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                               : std::nullopt;
}

std::string schema_without_probes(const std::string& schema) {
  auto read = json::parse(schema, nullptr, false);
  const json::json_pointer kinds("/properties/experiments/items/properties/kind/enum");
  if (read.is_discarded() || !read.contains(kinds)) return schema;
  read[kinds] = {"kernel"};
  return read.dump();
}

}  // namespace hone::agents
