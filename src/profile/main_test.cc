// The tests' own main: runners are this very program, started again as a worker.
#include <gtest/gtest.h>

#include <string_view>

#include "runner/worker.h"

int main(int argc, char** argv) {
  if (argc == 2 && argv[1] == hone::runner::worker_role) return hone::runner::worker_main();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
