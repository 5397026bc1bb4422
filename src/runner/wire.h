#pragma once
// One packet is one message: a JSON text and a few file descriptors, over a pair of Unix seqpacket
// sockets. Large things (images, plans) travel as sealed memory files, not in the text. The other
// side may be hostile: sizes are bounded, and nothing is assumed to be there. Functions without
// state; any thread, one at a time for a socket.
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.h"

namespace hone::runner {

struct Packet {
  std::string text;
  std::vector<base::Fd> fds;
  pid_t sender = 0;  // as seen from here, if ask_for_sender was called for the socket
};

std::pair<base::Fd, base::Fd> socket_pair();
void ask_for_sender(const base::Fd& socket);

// False, or nothing: the other side has closed its end.
bool send_packet(int socket, std::string_view text, const std::vector<int>& fds = {});
std::optional<Packet> receive_packet(int socket);

// Waits until a packet can be received, or the other side has closed its end. False: not within the
// seconds (by the monotonic clock), or interrupted by a signal.
bool wait_readable(int socket, double seconds);

base::Fd memory_file(std::string_view contents, const char* name);
std::string read_memory_file(const base::Fd& fd,
                             std::uint64_t limit);  // throws Error beyond the limit

}  // namespace hone::runner
