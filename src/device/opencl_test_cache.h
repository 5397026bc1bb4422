#pragma once
// PoCL reads where its cache is once in a process; all tests of this program share one folder, gone
// with the program.
#include <cstdlib>

#include "base/files.h"

namespace hone::device {

inline void use_test_cache() {
  static const base::TemporaryFolder folder("hone-opencl-test");
  ::setenv("POCL_CACHE_DIR", folder.path().c_str(), 1);
}

}  // namespace hone::device
