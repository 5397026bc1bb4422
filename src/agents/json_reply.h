#pragma once
// The JSON object of a reply, wherever the model put it, and its fields read tolerantly: numbers
// that came as text, lists whose items are wrapped. What cannot be read is a sentence for the
// model.
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "llm/client.h"

namespace hone::agents {

// The object that has at least one of the keys: the tool call's arguments, else the last such
// object in the text.
base::Result<nlohmann::json> object_in(const llm::Reply& reply,
                                       const std::vector<std::string>& keys);

const nlohmann::json* field(const nlohmann::json& object,
                            const std::vector<std::string>& names);  // the first there is
// "12", "12 %", "12/100", 12: finite, or nothing.
std::optional<double> number_in(const nlohmann::json& value);
// A text as it is; of an object its text, description, finding or why; "" of anything else.
std::string text_in(const nlohmann::json& value);
std::optional<bool> truth_in(const nlohmann::json& value);
// The number of a node: 12, "12", "00012", "#12", "node 00012". Nothing: it names none.
std::optional<int> node_number_in(const nlohmann::json& value);

// The schema of a design whose experiments are kernels only.
std::string schema_without_probes(const std::string& schema);

}  // namespace hone::agents
