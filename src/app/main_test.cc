// The tests' own main: runners are this very program, started again as a worker.
#include <gtest/gtest.h>

#include <string_view>

#include "runner/worker.h"

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "sandboxed") return hone::runner::worker_main();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
