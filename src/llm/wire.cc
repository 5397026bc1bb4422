#include <nlohmann/json.hpp>

#include "llm/wire_json.h"

namespace hone::llm {

using nlohmann::json;

std::string text_of(const json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

namespace {

WireError error_of(const json& body) {
  WireError found;
  if (!body.is_object()) return found;
  const json& inner = body.contains("error") ? body["error"] : body;
  if (!inner.is_object()) {
    found.message = text_of(inner);
    return found;
  }
  const auto field = [&](const char* name) {
    return inner.contains(name) ? text_of(inner[name]) : "";
  };
  found.message = field("message");
  if (found.message.empty()) found.message = field("detail");
  found.type = field("type");
  found.code = field("code");
  found.param = field("param");
  return found;
}

}  // namespace

WireError error_in(const std::string& body) { return error_of(json::parse(body, nullptr, false)); }

void take_error(const json& event, Gathered& gathered) {
  gathered.error = error_of(event);
  gathered.finished = true;
}

}  // namespace hone::llm
