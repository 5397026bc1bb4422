#pragma once
// What calls cost: a table of dollars per million tokens in resources/prices.toml, which the user
// can override. The longest matching name wins, so that dated model names find their family.
#include <optional>
#include <string>

#include "llm/client.h"

namespace hone::llm {

// Dollars per million tokens.
struct Rates {
  double in = 0, out = 0, cached = 0;
  double written = 0;  // to the provider's cache
};
struct Price : Rates {
  std::int64_t context = 0;    // tokens; 0: not known
  std::int64_t long_from = 0;  // a prompt of more tokens than this costs `longer`; 0: none does
  Rates longer;
};

// `given`: what the user wrote, "IN,OUT" or "IN,OUT,CACHED" (dollars per million), which wins; "":
// nothing. All zero for a client that costs nothing. Throws Error (usage) where `given` is not a
// price, (bad_input) where the table is not one.
std::optional<Price> price_of(const LlmClient& client, const std::string& given = "");
double dollars(const Price& price, const Usage& usage);
// The most that a call can cost: no token is shorter than a byte, and the answer is as long as it
// may be.
double most_dollars(const Price& price, const Request& request);
// A rough count for people and estimates, about four bytes a token; never used for a cap.
std::int64_t estimated_tokens(const std::string& text);

}  // namespace hone::llm
