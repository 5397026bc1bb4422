#include "device/cuda_memory.h"

#include <algorithm>

#include "base/error.h"

namespace hone::device::cuda {
namespace {

// Old ranges stay reserved (that costs no memory) for this many mappings, and each new one starts
// at a random place of its range, so an address does not come back soon.
constexpr std::size_t ranges_kept = 8;
constexpr std::size_t places = 16;

}  // namespace

// Exported as a descriptor: the judge allocates, and the runner maps the same memory without a
// copy.
AllocationProperties exportable_on(DeviceHandle device) {
  AllocationProperties properties{};
  properties.type = allocation_pinned;
  properties.handle_types = handle_posix_fd;
  properties.location = {location_device, device};
  return properties;
}

std::size_t granularity_of(const Session& session) {
  if (session.attribute(attribute_virtual_memory) == 0 ||
      session.attribute(attribute_posix_fd_handles) == 0)
    base::fail(base::ExitCode::environment,
               "this device cannot share memory between processes by file descriptor: it needs a "
               "discrete GPU with the Linux driver");
  std::size_t unit = 0;
  const AllocationProperties properties = exportable_on(session.device());
  check(session.api().mem_granularity(&unit, &properties, granularity_minimum),
        "asking for the unit of allocations");
  return unit;
}

AccessDescription full_access(DeviceHandle device) {
  return {{location_device, device}, access_read_write};
}

ImportedBlocks::ImportedBlocks(const Session& session)
    : session_(session), granularity_(granularity_of(session)), dice_(std::random_device{}()) {}

ImportedBlocks::~ImportedBlocks() { drop(); }

int ImportedBlocks::import(base::Fd fd, std::uint64_t bytes) {
  Block block{.bytes = (bytes + granularity_ - 1) / granularity_ * granularity_};
  void* handle = reinterpret_cast<void*>(static_cast<std::intptr_t>(fd.get()));
  check(session_.api().mem_import(&block.handle, handle, handle_posix_fd),
        "importing a block of memory from the judge");
  blocks_.push_back(block);
  return static_cast<int>(blocks_.size()) - 1;
}

std::string ImportedBlocks::unmap_all() {
  Steps step;
  for (Block& block : blocks_) {
    if (block.address == 0) continue;
    step("unmapping a block", session_.api().mem_unmap(block.address, block.bytes));
    block.address = 0;
  }
  in_use_ = 0;
  return step.error();
}

void ImportedBlocks::forget(std::size_t keep) {
  while (ranges_.size() > keep) {
    (void)session_.api().address_free(ranges_.front().base, ranges_.front().bytes);
    ranges_.pop_front();
  }
}

// Failures are passed over: this is the end of these blocks, and a lost context fails at every step
// of it.
void ImportedBlocks::drop() {
  (void)unmap_all();
  forget(0);
  for (const Block& block : blocks_) (void)session_.api().mem_release(block.handle);
  blocks_.clear();
}

std::string ImportedBlocks::map(const std::vector<int>& wanted, bool fresh) {
  const Driver& api = session_.api();
  if (fresh)
    if (const auto error = unmap_all(); !error.empty()) return error;
  std::vector<int> missing;
  std::size_t total = 0;
  for (const int block : wanted)
    if (address(block) == 0 && std::find(missing.begin(), missing.end(), block) == missing.end()) {
      missing.push_back(block);
      total += bytes(block);
    }
  if (missing.empty()) return {};
  // In a random order too, so that no buffer's place follows from another's.
  std::shuffle(missing.begin(), missing.end(), dice_);

  Steps step;
  Range range{.bytes = total + places * granularity_};
  if (!step("reserving addresses", api.address_reserve(&range.base, range.bytes, 0, 0, 0)))
    return step.error();
  ranges_.push_back(range);
  ++in_use_;
  const Address first = range.base + dice_() % places * granularity_;
  Address next = first;
  for (const int index : missing) {
    Block& block = blocks_[static_cast<std::size_t>(index)];
    if (!step("mapping a block", api.mem_map(next, block.bytes, 0, block.handle, 0)))
      return step.error();
    block.address = next;
    next += block.bytes;
  }
  const AccessDescription access = full_access(session_.device());
  step("making the blocks accessible", api.mem_set_access(first, total, &access, 1));
  // Ranges that are mapped now must stay; beyond them the oldest go first.
  forget(std::max(ranges_kept, in_use_));
  return step.error();
}

}  // namespace hone::device::cuda
