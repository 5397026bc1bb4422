#include "llm/endpoint.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>

#include "base/error.h"

namespace hone::llm {
namespace {

using base::ExitCode;
using base::fail;

constexpr std::string_view version_path = "/v1";

enum class Kind { number, integer, word, integer_or_word };
struct Option {
  std::string_view name;
  Kind kind;
  bool openai, anthropic;
};
// Sent only where the user gives them. The last three are Hone's own.
constexpr std::array known_options = {
    Option{"temperature", Kind::number, true, true},
    Option{"top_p", Kind::number, true, true},
    Option{"top_k", Kind::integer, true, true},
    Option{"seed", Kind::integer, true, false},
    Option{"reasoning_effort", Kind::word, true, false},
    Option{"verbosity", Kind::word, true, false},
    Option{"effort", Kind::word, false, true},
    Option{"thinking", Kind::integer_or_word, false, true},
    Option{"max_output", Kind::integer, true, true},
    Option{"idle", Kind::number, true, true},
    Option{"timeout", Kind::number, true, true},
};

std::string from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  std::string text = value == nullptr ? "" : value;
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  return text;
}

bool offers(const Option& option, const Provider& provider) {
  return &provider.wire == &openai_wire ? option.openai : option.anthropic;
}

bool is_number(std::string_view text, bool integer) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0) || value > 1e9)
    return false;
  return !integer || text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_word(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_-") == std::string_view::npos;
}

// A value as JSON; "": it is none for this option.
std::string as_json(const Option& option, const std::string& value) {
  const bool integer = option.kind != Kind::number;
  if (option.kind != Kind::word && is_number(value, integer))
    return integer ? std::to_string(std::stoll(value)) : value;
  const bool words = option.kind == Kind::word || option.kind == Kind::integer_or_word;
  return words && is_word(value) ? "\"" + value + "\"" : "";
}

std::string option_names(const Provider& provider) {
  std::string names;
  for (const auto& option : known_options)
    if (offers(option, provider)) names += (names.empty() ? "" : ", ") + std::string(option.name);
  return names;
}

std::chrono::milliseconds milliseconds(const std::string& seconds) {
  return std::chrono::milliseconds(
      static_cast<std::int64_t>(std::strtod(seconds.c_str(), nullptr) * 1000));
}

void set_option(Endpoint& endpoint, const Provider& provider, const std::string& text) {
  const auto equals = text.find('=');
  const std::string name = text.substr(0, equals),
                    value = equals == std::string::npos ? "" : text.substr(equals + 1);
  for (const auto& option : known_options) {
    if (option.name != name || !offers(option, provider)) continue;
    const std::string json = as_json(option, value);
    if (json.empty())
      fail(ExitCode::usage, "{}: '{}' is not a value of the option {}", endpoint.name, value, name);
    if (name == "max_output") {
      endpoint.max_output = std::stoll(json);
      if (*endpoint.max_output < 1)
        fail(ExitCode::usage, "{}: max_output is at least 1", endpoint.name);
    } else if (name == "idle") {
      endpoint.times.idle = milliseconds(json);
    } else if (name == "timeout") {
      endpoint.times.total = milliseconds(json);
    } else {
      endpoint.options[name] = json;
    }
    return;
  }
  fail(ExitCode::usage, "{}: there is no option '{}'; there are {}", endpoint.name, name,
       option_names(provider));
}

struct Url {
  bool tls = false;
  std::string authority, host, path;
};
Url parsed_url(const std::string& url, const std::string& where) {
  Url parsed;
  parsed.tls = url.starts_with("https://");
  if (!parsed.tls && !url.starts_with("http://"))
    fail(ExitCode::usage, "{}: the address '{}' does not begin with http:// or https://", where,
         url);
  const std::string rest = url.substr(parsed.tls ? 8 : 7);
  parsed.authority = rest.substr(0, rest.find('/'));
  parsed.path = rest.substr(parsed.authority.size());
  while (parsed.path.ends_with('/')) parsed.path.pop_back();
  if (parsed.authority.find('@') != std::string::npos)
    fail(ExitCode::usage,
         "{}: an address may not hold a name or password: keys come from the environment",
         where.substr(0, where.find('@')));
  for (const char c : rest)
    if (static_cast<unsigned char>(c) <= ' ' || c == '#' || c == '?' || c == 0x7f)
      fail(ExitCode::usage, "{}: an address may not hold spaces, '?' or '#'", where);
  const auto bracket = parsed.authority.find(']');
  const auto colon = parsed.authority.find(':', bracket == std::string::npos ? 0 : bracket);
  parsed.host = parsed.authority.substr(0, colon);
  if (parsed.host.empty()) fail(ExitCode::usage, "{}: the address '{}' names no host", where, url);
  return parsed;
}

bool is_loopback(const std::string& host) {
  return host == "localhost" || host.starts_with("127.") || host == "[::1]";
}

// A key goes over the open network only where the user set the address in the environment too,
// beside it.
void set_key(Endpoint& endpoint, const Provider& provider, const Url& url,
             bool base_from_environment) {
  endpoint.key_variable = provider.key_variable;
  const std::string key = from_environment(provider.key_variable);
  if (url.tls && key.empty())
    fail(ExitCode::usage, "{}: set {} to your key for {} (a server that wants none takes any word)",
         endpoint.name, provider.key_variable, url.host);
  for (const char c : key)
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7f)
      fail(ExitCode::usage, "{} holds a space or a line break: it is not a key",
           provider.key_variable);
  if (url.tls || is_loopback(url.host) || base_from_environment) endpoint.key = key;
}

}  // namespace

const Provider openai_provider = {"openai",
                                  openai_wire,
                                  "https://api.openai.com",
                                  "OPENAI_API_KEY",
                                  "OPENAI_BASE_URL",
                                  "/chat/completions",
                                  true};
const Provider anthropic_provider = {"anthropic",
                                     anthropic_wire,
                                     "https://api.anthropic.com",
                                     "ANTHROPIC_API_KEY",
                                     "ANTHROPIC_BASE_URL",
                                     "/messages",
                                     false};

Endpoint endpoint_of(const Provider& provider, const std::string& rest) {
  Endpoint endpoint;
  endpoint.name = fmt::format("{}:{}", provider.scheme, rest);
  const auto question = rest.find('?');
  const std::string model_and_address = rest.substr(0, question);
  const auto scheme_end =
      model_and_address.find("://");  // of any address, so that a wrong one is said to be wrong
  const auto at =
      scheme_end == std::string::npos ? scheme_end : model_and_address.rfind('@', scheme_end);
  endpoint.model = model_and_address.substr(0, at);
  if (endpoint.model.empty())
    fail(ExitCode::usage, "{}: the model's name is missing", endpoint.name);
  const std::string from_user = at == std::string::npos ? "" : model_and_address.substr(at + 1);
  const std::string from_variable =
      from_user.empty() ? from_environment(provider.base_variable) : "";
  const std::string base = !from_user.empty()       ? from_user
                           : !from_variable.empty() ? from_variable
                                                    : std::string(provider.base);
  const Url url =
      parsed_url(base, from_variable.empty() ? endpoint.name : std::string(provider.base_variable));
  const bool has_version =
      url.path.ends_with(version_path) || (provider.version_in_base && !url.path.empty());
  endpoint.url = fmt::format("{}://{}{}{}{}", url.tls ? "https" : "http", url.authority, url.path,
                             has_version ? "" : version_path, provider.path);
  endpoint.host = url.host;
  endpoint.first_party = provider.base == "https://" + url.host;
  endpoint.through_proxy = !is_loopback(url.host);
  set_key(endpoint, provider, url, !from_variable.empty());
  for (std::size_t begin = question; begin < rest.size();) {
    const auto end = rest.find('&', begin + 1);
    set_option(endpoint, provider,
               rest.substr(begin + 1, end == std::string::npos ? end : end - begin - 1));
    begin = end;
  }
  return endpoint;
}

}  // namespace hone::llm
