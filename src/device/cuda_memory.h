#pragma once
// Memory that the judge exported, imported here, and the addresses it is mapped at. Each fresh
// mapping lies somewhere else than the ones before, so that nothing can be remembered by address.
// Owned by the runner's device; its context must be current.
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "base/fd.h"
#include "device/cuda_session.h"

namespace hone::device::cuda {

class ImportedBlocks {
 public:
  explicit ImportedBlocks(const Session& session);
  ~ImportedBlocks();
  ImportedBlocks(const ImportedBlocks&) = delete;
  ImportedBlocks& operator=(const ImportedBlocks&) = delete;

  int import(base::Fd fd, std::uint64_t bytes);  // throws Error
  void drop();

  // Maps these blocks: all anew if fresh, else only those that are nowhere yet. The failure's text,
  // "" if none.
  std::string map(const std::vector<int>& blocks, bool fresh);
  Address address(int block) const { return blocks_[static_cast<std::size_t>(block)].address; }
  std::uint64_t bytes(int block) const { return blocks_[static_cast<std::size_t>(block)].bytes; }
  bool knows(int block) const {
    return block >= 0 && static_cast<std::size_t>(block) < blocks_.size();
  }

 private:
  struct Block {
    AllocationHandle handle = 0;
    std::uint64_t bytes = 0;
    Address address = 0;  // 0: not mapped
  };
  struct Range {
    Address base = 0;
    std::size_t bytes = 0;
  };
  std::string unmap_all();
  void forget(std::size_t keep);

  const Session& session_;
  std::size_t granularity_ = 0;
  std::vector<Block> blocks_;
  std::deque<Range> ranges_;  // reserved addresses, oldest first; the last ones may be in use
  std::size_t in_use_ = 0;
  std::mt19937_64 dice_;
};

// What an allocation that can be passed to another process looks like, and the unit its size comes
// in.
AllocationProperties exportable_on(DeviceHandle device);
std::size_t granularity_of(const Session& session);
AccessDescription full_access(DeviceHandle device);

}  // namespace hone::device::cuda
