#pragma once
// `hone log`: what was evaluated, newest first, one line each.
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "store/evaluations.h"
#include "text/format.h"

namespace hone::cli {

struct LogOptions {
  std::string task;  // name; "": all
  std::optional<core::Outcome> outcome;
  std::string before;  // id (or its beginning) of an evaluation: only earlier ones
  int limit = 20;
  bool json = false;
};
void print_log(store::Archive& archive, const LogOptions& options, std::ostream& out, const text::Screen& screen);

// The lines themselves, for other commands that list evaluations.
std::string evaluation_table(const std::vector<store::EvaluationLine>& lines, const text::Screen& screen);
nlohmann::json to_json(const store::EvaluationLine& line);

}  // namespace hone::cli
