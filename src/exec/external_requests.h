#pragma once
// The texts of the external protocol: what is asked, and what of an answer is believed. Used by the
// external executor only.
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/external_executor.h"

namespace hone::exec {

std::string describe_request();
std::string submit_request(const std::string& name, const std::string& task,
                           const std::string& file, const std::vector<std::string>& cases);
std::string id_request(const std::string& id);

struct ExternalState {
  enum Kind { waiting, ended, unknown } kind = waiting;
  std::optional<double> retry_after;  // seconds
};
base::Result<int> parse_description(const std::string& text);  // how many may be open at a time
base::Result<std::string> parse_id(const std::string& text);
base::Result<ExternalState> parse_state(const std::string& text);
base::Result<ExternalAnswer> parse_result(const std::string& text,
                                          const std::vector<std::string>& cases);

}  // namespace hone::exec
