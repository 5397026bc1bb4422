#include "runner/wire.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cmath>
#include <cstring>

#include "base/error.h"

namespace hone::runner {
namespace {

using base::Error;
using base::ExitCode;
using base::Fd;

constexpr std::size_t largest_text = 128
                                     << 10;  // of a packet; well under the socket's default buffer
constexpr std::size_t most_fds = 32;

}  // namespace

// Seqpacket: a message arrives whole or not at all, and its end needs no mark that a worker could
// forge. Close-on-exec: the program that a candidate may start does not get the judge's end.
std::pair<Fd, Fd> socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    base::fail(ExitCode::environment, "no socket pair can be made: {}", base::errno_text());
  return {Fd(ends[0]), Fd(ends[1])};
}

void ask_for_sender(const Fd& socket) {
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
}

bool send_packet(int socket, std::string_view text, const std::vector<int>& fds) {
  if (text.size() > largest_text || fds.size() > most_fds)
    base::fail(ExitCode::environment, "a message of {} bytes is too large for the wire",
               text.size());
  // sendmsg() does not write into the text; its struct has no const.
  iovec part{const_cast<char*>(text.data()), text.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(most_fds * sizeof(int))] = {};
  if (!fds.empty()) {
    header.msg_control = control;
    header.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
    std::memcpy(CMSG_DATA(rights), fds.data(), fds.size() * sizeof(int));
  }
  // A worker that has died is an answer like any other, and no SIGPIPE that ends the judge.
  while (::sendmsg(socket, &header, MSG_NOSIGNAL) < 0)
    if (errno != EINTR) return false;
  return true;
}

// A worker may send more than fits: the kernel cuts the text (which then is no JSON any more) and
// closes descriptors beyond the room for them. Descriptors are taken into owners before anything
// else is looked at, so that a refused packet leaks none.
std::optional<Packet> receive_packet(int socket) {
  Packet packet;
  packet.text.resize(largest_text);
  iovec part{packet.text.data(), packet.text.size()};
  alignas(
      cmsghdr) char control[CMSG_SPACE(most_fds * sizeof(int)) + CMSG_SPACE(sizeof(ucred))] = {};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  ssize_t size = 0;
  while ((size = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC)) < 0)
    if (errno != EINTR) return std::nullopt;
  for (cmsghdr* part_header = CMSG_FIRSTHDR(&header); part_header != nullptr;
       part_header = CMSG_NXTHDR(&header, part_header)) {
    if (part_header->cmsg_level != SOL_SOCKET) continue;
    if (part_header->cmsg_type == SCM_RIGHTS) {
      const std::size_t count = (part_header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (std::size_t i = 0; i < count; ++i) {
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(part_header) + i * sizeof(int), sizeof fd);
        packet.fds.emplace_back(fd);
      }
    } else if (part_header->cmsg_type == SCM_CREDENTIALS) {
      ucred credentials{};
      std::memcpy(&credentials, CMSG_DATA(part_header), sizeof credentials);
      packet.sender = credentials.pid;
    }
  }
  if (size == 0) return std::nullopt;
  packet.text.resize(static_cast<std::size_t>(size));
  return packet;
}

bool wait_readable(int socket, double seconds) {
  pollfd wanted{socket, POLLIN, 0};
  const timespec limit{static_cast<time_t>(seconds),
                       static_cast<long>(std::fmod(seconds, 1.0) * 1e9)};
  return ::ppoll(&wanted, 1, &limit, nullptr) > 0;
}

Fd memory_file(std::string_view contents, const char* name) {
  Fd fd(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd) base::fail(ExitCode::environment, "no memory file can be made: {}", base::errno_text());
  while (!contents.empty()) {
    const ssize_t n = ::write(fd.get(), contents.data(), contents.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      base::fail(ExitCode::environment, "a memory file cannot be written: {}", base::errno_text());
    contents.remove_prefix(static_cast<std::size_t>(n));
  }
  // Sealed: the receiver reads what was sent, however hostile the process is that holds another
  // descriptor of it.
  ::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  return fd;
}

// The descriptor may come from a hostile process. Only a regular file is read: a pipe or device
// would block, or never end. Reading is by offset, because the sender shares the descriptor's own;
// and no more is read than the size that was compared with the limit, even if the file grows
// meanwhile.
std::string read_memory_file(const Fd& fd, std::uint64_t limit) {
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode))
    base::fail(ExitCode::environment, "a descriptor that should be a memory file is not one");
  if (static_cast<std::uint64_t>(info.st_size) > limit)
    base::fail(ExitCode::environment, "a memory file of {} bytes is larger than the {} allowed",
               info.st_size, limit);
  std::string text(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n =
        ::pread(fd.get(), text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  text.resize(done);
  return text;
}

}  // namespace hone::runner
