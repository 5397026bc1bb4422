#pragma once
// The runner's side of host memory: blocks imported by file descriptor and mapped where the next
// call shall find them. Owned by a Device, on its thread.
#include <cstdint>
#include <vector>

#include "base/fd.h"
#include "device/device.h"

namespace hone::device {

class HostBlocks {
 public:
  HostBlocks() = default;
  HostBlocks(const HostBlocks&) = delete;
  HostBlocks& operator=(const HostBlocks&) = delete;
  ~HostBlocks() { drop(); }

  int import(base::Fd fd, std::uint64_t bytes);  // throws Error
  void drop();
  // Maps what is not mapped, or with `fresh` every block anew at a random address. The failure says
  // what went wrong.
  base::Result<bool> map(bool fresh);
  // Address of a binding of so many bytes; null if the block has no such place.
  unsigned char* address(const BufferBinding& binding, std::uint64_t bytes) const;

 private:
  struct Imported {
    base::Fd fd;
    std::uint64_t bytes = 0;
    unsigned char* base = nullptr;
  };
  static void unmap(Imported& block);
  static bool move_away(Imported& block);
  std::vector<Imported> blocks_;
};

}  // namespace hone::device
