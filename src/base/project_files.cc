#include "base/project_files.h"

#include <cstdlib>
#include <string_view>

namespace hone::base {

bool project_files_count() {
  const char* value = std::getenv(project_files_variable);
  return value == nullptr || std::string_view(value) != "off";
}

}  // namespace hone::base
