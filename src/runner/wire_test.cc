#include "runner/wire.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "base/error.h"

namespace hone::runner {
namespace {

using base::Fd;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::size_t largest_text = 128 << 10;

int open_descriptors() {
  int count = 0;
  for ([[maybe_unused]] const auto& one : std::filesystem::directory_iterator("/proc/self/fd"))
    ++count;
  return count;
}

// What a hostile process can send that send_packet() refuses to.
bool send_raw(int socket, const std::string& text, const std::vector<int>& fds = {}) {
  iovec part{const_cast<char*>(text.data()), text.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  std::vector<char> control(CMSG_SPACE(fds.size() * sizeof(int)));
  if (!fds.empty()) {
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
    std::memcpy(CMSG_DATA(rights), fds.data(), fds.size() * sizeof(int));
  }
  return ::sendmsg(socket, &header, MSG_NOSIGNAL) >= 0;
}

struct Wire : testing::Test {
  std::pair<Fd, Fd> ends = socket_pair();
  int judge = ends.first.get(), worker = ends.second.get();
};

TEST_F(Wire, KeepsMessagesApartAndInOrder) {
  const std::string with_zero("a\0b", 3);
  ASSERT_TRUE(send_packet(worker, "one"));
  ASSERT_TRUE(send_packet(worker, with_zero));
  EXPECT_EQ(receive_packet(judge)->text, "one");
  EXPECT_EQ(receive_packet(judge)->text, with_zero);
}

TEST_F(Wire, CarriesDescriptorsThatNoChildInherits) {
  const Fd first = memory_file("first", "a"), second = memory_file("second", "b");
  ASSERT_TRUE(send_packet(worker, "two", {first.get(), second.get()}));
  const auto packet = receive_packet(judge);
  ASSERT_EQ(packet->fds.size(), 2u);
  EXPECT_EQ(read_memory_file(packet->fds[0], 100), "first");
  EXPECT_EQ(read_memory_file(packet->fds[1], 100), "second");
  for (const auto& fd : packet->fds) EXPECT_TRUE(::fcntl(fd.get(), F_GETFD) & FD_CLOEXEC);
}

TEST_F(Wire, RefusesToSendWhatTheOtherSideWouldCut) {
  EXPECT_TRUE(send_packet(worker, std::string(largest_text, 'x')));
  EXPECT_EQ(receive_packet(judge)->text.size(), largest_text);
  EXPECT_THROW(send_packet(worker, std::string(largest_text + 1, 'x')), base::Error);
  EXPECT_THROW(send_packet(worker, "x", std::vector<int>(33, worker)), base::Error);
  EXPECT_FALSE(wait_readable(judge, 0)) << "nothing was sent of either";
}

TEST_F(Wire, CutsAMessageThatIsTooLongAndReadsTheNextOneWhole) {
  ASSERT_TRUE(send_raw(worker, std::string(largest_text + 5000, 'x')));
  ASSERT_TRUE(send_packet(worker, "next"));
  EXPECT_EQ(receive_packet(judge)->text.size(), largest_text);
  EXPECT_EQ(receive_packet(judge)->text, "next");
}

TEST_F(Wire, BoundsTheDescriptorsOfAMessageAndKeepsNone) {
  const int before = open_descriptors();
  ASSERT_TRUE(send_raw(worker, "many", std::vector<int>(200, worker)));
  {
    const auto packet = receive_packet(judge);
    ASSERT_TRUE(packet);
    EXPECT_LT(packet->fds.size(), 50u);
    EXPECT_EQ(open_descriptors(), before + static_cast<int>(packet->fds.size()));
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(Wire, ClosesTheDescriptorsOfAnEmptyMessage) {
  const int before = open_descriptors();
  ASSERT_TRUE(send_raw(worker, "", {worker, worker}));
  EXPECT_FALSE(receive_packet(judge)) << "no message of Hone's is empty: it counts as the end";
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(Wire, TellsTheSenderWhereItWasAskedFor) {
  ASSERT_TRUE(send_packet(worker, "before"));
  EXPECT_EQ(receive_packet(judge)->sender, 0);
  ask_for_sender(ends.first);
  ASSERT_TRUE(send_packet(worker, "after", {worker}));
  const auto packet = receive_packet(judge);
  EXPECT_EQ(packet->sender, ::getpid());
  EXPECT_EQ(packet->fds.size(), 1u);
}

TEST_F(Wire, TellsAnEndWithoutASignal) {
  ASSERT_TRUE(send_packet(worker, "last words"));
  ends.second = Fd();
  EXPECT_TRUE(wait_readable(judge, 0));
  EXPECT_EQ(receive_packet(judge)->text, "last words") << "they arrive after the end too";
  EXPECT_TRUE(wait_readable(judge, 0)) << "an end can be read";
  EXPECT_FALSE(receive_packet(judge));
  EXPECT_FALSE(send_packet(judge, "are you there")) << "and no SIGPIPE";
}

TEST_F(Wire, WaitsNoLongerThanItIsTold) {
  EXPECT_FALSE(wait_readable(judge, 0));
  EXPECT_FALSE(wait_readable(judge, 0.001));
}

TEST(MemoryFile, CannotBeChangedOnceItIsMade) {
  const std::string contents("with\0zero", 9);
  const Fd file = memory_file(contents, "sealed");
  EXPECT_EQ(read_memory_file(file, contents.size()), contents);
  EXPECT_LT(::pwrite(file.get(), "x", 1, 0), 0);
  EXPECT_LT(::ftruncate(file.get(), 1), 0);
  EXPECT_LT(::ftruncate(file.get(), 1000), 0);
  EXPECT_EQ(read_memory_file(file, contents.size()), contents);
  EXPECT_EQ(read_memory_file(memory_file("", "empty"), 0), "");
}

TEST(MemoryFile, IsReadFromItsStartWhereverItsOffsetStands) {
  const Fd file = memory_file("0123456789", "moved");
  ASSERT_EQ(::lseek(file.get(), 7, SEEK_SET), 7);
  EXPECT_EQ(read_memory_file(file, 10), "0123456789");
}

TEST(MemoryFile, IsRefusedWhereItIsLargerThanAllowed) {
  const Fd file = memory_file("0123456789", "large");
  EXPECT_THAT([&] { read_memory_file(file, 9); },
              ThrowsMessage<base::Error>(HasSubstr("10 bytes is larger than the 9 allowed")));
  // A sparse file of a terabyte costs the worker nothing.
  const Fd sparse(::memfd_create("sparse", MFD_CLOEXEC));
  ASSERT_EQ(::ftruncate(sparse.get(), off_t{1} << 40), 0);
  EXPECT_THROW(read_memory_file(sparse, 256 << 20), base::Error);
}

TEST(MemoryFile, IsRefusedWhereItIsSomethingElse) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const Fd read_end(ends[0]), write_end(ends[1]);
  const Fd device(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
  const Fd folder(::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const auto [socket, other] = socket_pair();
  for (const Fd* one : {&read_end, &device, &folder, &socket})
    EXPECT_THAT([&] { read_memory_file(*one, 100); },
                ThrowsMessage<base::Error>(HasSubstr("should be a memory file")));
  EXPECT_THROW(read_memory_file(Fd(), 100), base::Error);
}

}  // namespace
}  // namespace hone::runner
