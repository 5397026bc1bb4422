#pragma once
// What the two wire formats share of reading JSON; only their files include it.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "llm/wire.h"

namespace hone::llm {

// A string as it is, anything else as JSON; "" for null.
std::string text_of(const nlohmann::json& value);
// Of an answer that is an error, in any of the known shapes.
void take_error(const nlohmann::json& event, Gathered& gathered);

}  // namespace hone::llm
