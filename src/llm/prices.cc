#include "llm/prices.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/error.h"
#include "base/resources.h"
#include "base/toml_parser.h"
#include "llm/prompt.h"

namespace hone::llm {
namespace {

using base::ExitCode;
using base::fail;

constexpr const char* table_name = "prices.toml";
constexpr double million = 1e6;
// What providers add to a prompt by themselves (roles, tool preambles of 300 to 500 tokens), with
// room to spare.
constexpr std::int64_t framing_tokens = 2000;

// What may follow a name in the table: "-2025-08-07", "-20250514", "-001", "-latest", "-preview".
// Not "-pro", and not
// "-5" (claude-opus-4 and claude-opus-4-5 are two models).
bool is_version(std::string_view rest) {
  while (!rest.empty()) {
    if (rest.front() != '-' && rest.front() != '@') return false;
    rest.remove_prefix(1);
    const auto part = rest.substr(0, rest.find_first_of("-@"));
    const bool number =
        part.size() >= 2 && part.find_first_not_of("0123456789") == std::string_view::npos;
    if (!number && part != "latest" && part != "preview") return false;
    rest.remove_prefix(part.size());
  }
  return true;
}

double number_in(const toml::table& row, std::string_view key, double otherwise,
                 const std::string& name) {
  const auto* node = row.get(key);
  if (node == nullptr) return otherwise;
  const auto value = node->value<double>();
  if (!value || !(*value >= 0))
    fail(ExitCode::bad_input, "{}: {}: '{}' is not a price", table_name, name, key);
  return *value;
}

Rates rates_in(const toml::table& row, const std::string& name) {
  Rates rates;
  rates.in = number_in(row, "in", -1, name);
  rates.out = number_in(row, "out", -1, name);
  if (rates.in < 0 || rates.out < 0)
    fail(ExitCode::bad_input, "{}: {}: 'in' and 'out' are needed", table_name, name);
  rates.cached = number_in(row, "cached", rates.in, name);
  rates.written = number_in(row, "written", rates.in, name);
  return rates;
}

Price price_in(const toml::table& row, const std::string& name) {
  Price price{rates_in(row, name)};
  price.context = static_cast<std::int64_t>(number_in(row, "context", 0, name));
  if (const auto* longer = row["long"].as_table()) {
    price.long_from = static_cast<std::int64_t>(number_in(*longer, "from", 0, name));
    price.longer = rates_in(*longer, name);
  }
  return price;
}

std::optional<Price> listed(const std::string& price_name) {
  const auto slash = price_name.find('/');
  const std::string host = price_name.substr(0, slash);
  const std::string model = slash == std::string::npos ? "" : price_name.substr(slash + 1);
  const auto parsed = base::parse_toml(base::resource(table_name));
  if (!parsed || !*parsed)
    fail(ExitCode::bad_input, "{} is not TOML: {}", table_name,
         parsed ? parsed->error().description() : "");
  const auto* models = parsed->table()[host].as_table();
  if (models == nullptr) return std::nullopt;
  std::string best;
  const toml::table* found = nullptr;
  for (const auto& [key, node] : *models) {
    const std::string_view name = key.str();
    if (!model.starts_with(name) || !is_version(std::string_view(model).substr(name.size())))
      continue;
    if (found != nullptr && name.size() < best.size()) continue;
    best = name;
    found = node.as_table();
    if (found == nullptr)
      fail(ExitCode::bad_input, "{}: {} is not a table of prices", table_name, best);
  }
  if (found == nullptr) return std::nullopt;
  return price_in(*found, best);
}

Price parsed_price(const std::string& given) {
  std::vector<double> parts;
  for (std::string_view rest = given;;) {
    const auto part = rest.substr(0, rest.find(','));
    double value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc{} || end != part.data() + part.size() || !(value >= 0) ||
        value > million)
      fail(ExitCode::usage,
           "'{}' is not a price: it is IN,OUT or IN,OUT,CACHED in dollars per million tokens",
           given);
    parts.push_back(value);
    if (part.size() == rest.size()) break;
    rest.remove_prefix(part.size() + 1);
  }
  if (parts.size() < 2 || parts.size() > 3)
    fail(ExitCode::usage,
         "'{}' is not a price: it is IN,OUT or IN,OUT,CACHED in dollars per million tokens", given);
  Price price;
  price.in = price.written = parts[0];
  price.out = parts[1];
  price.cached = parts.size() == 3 ? parts[2] : parts[0];
  return price;
}

double cost(const Rates& rates, const Usage& usage) {
  const auto plain = std::max<std::int64_t>(0, usage.in - usage.cached - usage.written);
  return (static_cast<double>(plain) * rates.in + static_cast<double>(usage.cached) * rates.cached +
          static_cast<double>(usage.written) * rates.written +
          static_cast<double>(usage.out) * rates.out) /
         million;
}

}  // namespace

std::optional<Price> price_of(const LlmClient& client, const std::string& given) {
  if (!given.empty()) return parsed_price(given);
  if (client.price_name().empty()) return Price{};
  return listed(client.price_name());
}

double dollars(const Price& price, const Usage& usage) {
  return cost(price.long_from > 0 && usage.in > price.long_from ? price.longer : price, usage);
}

double most_dollars(const Price& price, const Request& request) {
  Usage most;
  most.in = static_cast<std::int64_t>(whole_text(request).size()) + framing_tokens;
  most.out = request.max_output_tokens;
  const bool may_be_long = price.long_from > 0 && most.in > price.long_from;
  Usage cached = most;
  cached.written = cached.in;
  const double usual = std::max(cost(price, most), cost(price, cached));
  return may_be_long ? std::max({usual, cost(price.longer, most), cost(price.longer, cached)})
                     : usual;
}

std::int64_t estimated_tokens(const std::string& text) {
  return static_cast<std::int64_t>((text.size() + 3) / 4);
}

}  // namespace hone::llm
