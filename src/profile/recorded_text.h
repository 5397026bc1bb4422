#pragma once
// For tests only: what a profiler printed, as it was recorded.
#include <string>

#include "base/files.h"

namespace hone::profile {

inline std::string recorded_text(const std::string& name) {
  return base::read_file(std::string(HONE_TEST_DATA) + "/profile/" + name);
}

}  // namespace hone::profile
