#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/inputs.h"
#include "core/json.h"

namespace hone::cli {

int print_written(const std::vector<std::filesystem::path>& files) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& file : files) list.push_back(file.string());
  std::fputs(core::json_text({{"written", list}}).c_str(), stdout);
  return 0;
}

}  // namespace hone::cli
