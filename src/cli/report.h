#pragma once
// An evaluation for a person (a table with a bar for each case) and for a program (JSON). The same facts in both.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/error.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "judge/compare.h"
#include "text/format.h"

namespace hone::cli {

std::string report(const core::Evaluation& evaluation, const core::DeviceInfo& info, const text::Screen& screen);
// How a command ends that ends on this outcome; and of two such codes the one that says more against a candidate.
base::ExitCode exit_code(core::Outcome outcome);
base::ExitCode worse(base::ExitCode a, base::ExitCode b);
nlohmann::json to_json(const judge::ComparisonResult& result);

}  // namespace hone::cli
