#include "runner/sandbox_spawn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/error.h"
#include "runner/system_call_filter.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

using testing::Contains;

SandboxSpec special() {
  SandboxSpec spec;
  spec.isolation = Isolation::limits;
  spec.gpu = true;
  spec.scratch_bytes = 1;
  spec.memory_bytes = ~std::uint64_t{0};
  spec.file_bytes = 3;
  spec.processes = 4;
  spec.network = true;
  spec.shared_folder = "/a folder with \"quotes\"";
  spec.readable = {"/opt/one", "/opt/two"};
  spec.keep_rights = true;
  spec.is_fork_server = true;
  return spec;
}

TEST(SandboxSpec, ReachesTheWorkerAsItIs) {
  const SandboxSpec sent = special(), got = spec_from(spec_message(sent));
  EXPECT_EQ(got.isolation, sent.isolation);
  EXPECT_EQ(got.gpu, sent.gpu);
  EXPECT_EQ(got.scratch_bytes, sent.scratch_bytes);
  EXPECT_EQ(got.memory_bytes, sent.memory_bytes);
  EXPECT_EQ(got.file_bytes, sent.file_bytes);
  EXPECT_EQ(got.processes, sent.processes);
  EXPECT_EQ(got.network, sent.network);
  EXPECT_EQ(got.shared_folder, sent.shared_folder);
  EXPECT_EQ(got.keep_rights, sent.keep_rights);
  EXPECT_EQ(got.is_fork_server, sent.is_fork_server);
  for (const auto& folder : sent.readable) EXPECT_THAT(got.readable, Contains(folder));
}

// What is not said must not be taken for the weaker thing.
TEST(SandboxSpec, IsRefusedWhereAnythingIsMissing) {
  EXPECT_EQ(spec_from(spec_message({})).isolation, Isolation::full);
  const std::string message = spec_message(special());
  for (std::size_t size = 0; size < message.size(); ++size)
    EXPECT_THROW(spec_from(message.substr(0, size)), base::Error) << size;
  for (const char* field : {"full", "network", "keep_rights", "keeps_children", "memory"}) {
    std::string without = message;
    const auto at = without.find('"' + std::string(field) + '"');
    ASSERT_NE(at, std::string::npos) << field;
    without.replace(at + 1, 1, "_");
    EXPECT_THROW(spec_from(without), base::Error) << field;
  }
}

TEST(SystemCallFilter, DependsOnWhatTheWorkerNeeds) {
  const auto program = [](bool native_code, bool network) {
    const base::Fd file = system_call_filter({native_code, network});
    return read_memory_file(file, 1 << 20);
  };
  const std::string strictest = program(true, false);
  EXPECT_FALSE(strictest.empty());
  EXPECT_EQ(program(true, false), strictest) << "the same each time";
  EXPECT_NE(program(false, false), strictest) << "a GPU's driver needs more";
  EXPECT_NE(program(true, true), strictest);
}

TEST(Freezer, OfNoProcessDoesNothing) {
  Freezer none;
  EXPECT_EQ(none.freeze(), 0.0);
  EXPECT_FALSE(none.ran_while_frozen());
  none.thaw();
}

}  // namespace
}  // namespace hone::runner
