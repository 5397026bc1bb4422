#pragma once
// One packet is one message: a JSON text and a few file descriptors, over a Unix socket pair that keeps packet borders.
// Large things (images, plans) travel as sealed memory files, not in the text. The other side may be hostile: sizes are
// bounded, nothing is trusted for being there.
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
  pid_t sender = 0;  // as seen from here, where the socket was asked to tell
};

std::pair<base::Fd, base::Fd> socket_pair();
void ask_for_sender(const base::Fd& socket);

bool send_packet(int socket, std::string_view text, const std::vector<int>& fds = {});  // false: the other side is gone
std::optional<Packet> receive_packet(int socket);  // nothing: the other side is gone

// Waits until a packet can be received. False when the time (by the monotonic clock) is up.
bool wait_readable(int socket, double seconds);

base::Fd memory_file(std::string_view contents, const char* name);
std::string read_memory_file(const base::Fd& fd, std::uint64_t limit);  // throws Error beyond the limit

}  // namespace hone::runner
