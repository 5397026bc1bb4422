#pragma once
// Reads one entry of a launch's `args`: a name, an integer expression, a typed scalar or a local
// buffer. A part of the plan parser.
#include <map>
#include <optional>
#include <string>

#include "core/candidate.h"
#include "task/toml_reader.h"

namespace hone::task {

using PlanNames = std::map<std::string, std::string>;  // what each name of the plan is: "tunable",
                                                       // "scratch buffer", "tensor map"

// Nothing if it cannot be read, which has then been said. Names the plan does not have are left as
// integer expressions.
std::optional<core::Arg> read_argument(TomlReader& read, const toml::node& node,
                                       const PlanNames& names, core::Language language);

// Arguments of a library's operation: tensors ("x", "w.T", "x[rows, 64]"), numbers, expressions,
// "None", booleans, texts ("'tanh'") and lists of them.
std::optional<core::Arg> read_operation_argument(TomlReader& read, const toml::node& node,
                                                 const PlanNames& names, std::size_t most);
std::vector<core::Arg> read_operation_arguments(TomlReader& read, const toml::array& list,
                                                const PlanNames& names, std::size_t most);
std::string_view trim(std::string_view text);   // without the spaces around it
bool is_operation_name(std::string_view name);  // "aten.mm", "aten.max.dim"

}  // namespace hone::task
