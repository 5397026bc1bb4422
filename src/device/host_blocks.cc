#include "device/host_blocks.h"

#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/error.h"

namespace hone::device {
namespace {

// Somewhere in the wide middle of a 47-bit address space, on a 2 MiB boundary so that large pages
// and cache sets fall alike each time. Only a hint: where something lies already, or addresses are
// shorter, the kernel chooses.
void* random_address() {
  constexpr std::uint64_t lowest = 0x200000000000, range = 0x400000000000, alignment = 2 << 20;
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) return nullptr;
  return reinterpret_cast<void*>(lowest + random % range / alignment * alignment);
}

}  // namespace

int HostBlocks::import(base::Fd fd, std::uint64_t bytes) {
  struct stat about {};
  if (::fstat(fd.get(), &about) != 0)
    base::fail(base::ExitCode::environment, "cannot import a memory block: {}", base::errno_text());
  // Reading past a file's end is a SIGBUS, which would look like the candidate's crash.
  if (static_cast<std::uint64_t>(about.st_size) < bytes)
    base::fail(base::ExitCode::environment, "a memory block of {} bytes was announced with {}",
               about.st_size, bytes);
  blocks_.push_back({.fd = std::move(fd), .bytes = bytes});
  return static_cast<int>(blocks_.size()) - 1;
}

void HostBlocks::unmap(Imported& block) {
  if (block.base) ::munmap(block.base, block.bytes);
  block.base = nullptr;
}

void HostBlocks::drop() {
  for (Imported& block : blocks_) unmap(block);
  blocks_.clear();
}

base::Result<bool> HostBlocks::map(bool fresh) {
  for (Imported& block : blocks_) {
    if (block.base && (!fresh || move_away(block))) continue;
    void* base = ::mmap(random_address(), block.bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_POPULATE, block.fd.get(), 0);
    if (base == MAP_FAILED)
      return base::Failure{
          fmt::format("cannot map a block of {} bytes: {}", block.bytes, base::errno_text())};
    unmap(block);  // after the new one is there, so that the same address cannot come back
    block.base = static_cast<unsigned char*>(base);
  }
  return true;
}

// Page tables are moved whole, which takes microseconds where filling them anew takes milliseconds.
// The place is taken first, by a mapping without memory: the move itself would wipe out whatever
// lay there. What native code did to its mapping (holes, other memory in it) moves along, and is
// its own loss: the judge looks at the memory itself.
bool HostBlocks::move_away(Imported& block) {
  void* place = ::mmap(random_address(), block.bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return false;
  void* moved =
      ::mremap(block.base, block.bytes, block.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place);
  if (moved == MAP_FAILED) {
    ::munmap(place, block.bytes);
    return false;
  }
  block.base = static_cast<unsigned char*>(moved);
  return true;
}

// Null for what lies outside: block and offset come with a request, and bytes with the plan.
unsigned char* HostBlocks::address(const BufferBinding& binding, std::uint64_t bytes) const {
  if (binding.block < 0 || static_cast<std::size_t>(binding.block) >= blocks_.size())
    return nullptr;
  const Imported& block = blocks_[static_cast<std::size_t>(binding.block)];
  if (!block.base || binding.offset > block.bytes || bytes > block.bytes - binding.offset)
    return nullptr;
  return block.base + binding.offset;
}

}  // namespace hone::device
