#include "device/host_blocks.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "device/host_tensor_ops.h"

namespace hone::device {
namespace {

constexpr std::uint64_t block_bytes = (6 << 20) + 4096;  // not a whole number of large pages

bool can_be_read(const void* address) {  // a system call says so where a load would end the test
  const base::Fd sink(::memfd_create("sink", MFD_CLOEXEC));
  return ::write(sink.get(), address, 1) == 1;
}

class HostBlocksTest : public ::testing::Test {
 protected:
  HostBlocksTest() : block_(ops_->allocate(block_bytes)) {
    blocks_.import(ops_->export_block(block_.id), block_bytes);
  }
  unsigned char* address() { return blocks_.address({0, 0}, block_bytes); }

  std::unique_ptr<TensorOps> ops_ = open_host_tensor_ops();
  Block block_;
  HostBlocks blocks_;
};

TEST_F(HostBlocksTest, FreshAddressesHoldTheSameMemoryAndLeaveNothingBehind) {
  ASSERT_TRUE(blocks_.map(true));
  for (int turn = 0; turn < 3; ++turn) {
    unsigned char* before = address();
    ops_->garbage({block_.id, 0, block_bytes}, 100 + static_cast<std::uint64_t>(turn));
    ASSERT_TRUE(blocks_.map(true));
    EXPECT_NE(address(), before);
    EXPECT_FALSE(can_be_read(before));
    std::vector<unsigned char> judges(block_bytes);
    ops_->read({block_.id, 0, block_bytes}, judges.data());
    EXPECT_EQ(std::memcmp(address(), judges.data(), block_bytes), 0);
    address()[block_bytes - 1] = static_cast<unsigned char>(turn);
    ops_->read({block_.id, block_bytes - 1, 1}, judges.data());
    EXPECT_EQ(judges[0], turn);
  }
}

TEST_F(HostBlocksTest, AnAddressStaysUnlessAFreshOneIsWanted) {
  ASSERT_TRUE(blocks_.map(false));
  unsigned char* before = address();
  ASSERT_TRUE(blocks_.map(false));
  EXPECT_EQ(address(), before);
}

// Native code may do this to itself: the next call finds the judge's memory all the same.
TEST_F(HostBlocksTest, AMappingThatWasTakenAwayIsMadeAnew) {
  ASSERT_TRUE(blocks_.map(true));
  address()[0] = 7;
  ::munmap(address(), block_bytes);
  ASSERT_TRUE(blocks_.map(true));
  ASSERT_TRUE(can_be_read(address()));
  EXPECT_EQ(address()[0], 7);
}

}  // namespace
}  // namespace hone::device
