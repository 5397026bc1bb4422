// Of a portable build alone: what GCC's own libraries take from a newer C library than
// HONE_OLDEST_GLIBC, in terms of what older ones have. The linker finds these first, so that the
// binary asks the C library for neither.
#include <dlfcn.h>
#include <link.h>
#include <sys/random.h>

#include <cstdint>

// glibc 2.36, for std::random_device.
extern "C" __attribute__((visibility("hidden"))) std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  if (getrandom(&value, sizeof value, 0) != sizeof value)
    __builtin_trap();  // so few bytes are never cut short
  return value;
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE
namespace {

struct Search {
  std::uintptr_t address;
  dl_find_object* found;
};

int look_at(dl_phdr_info* object, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  const ElfW(Phdr)* frames = nullptr;
  bool holds = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& part = object->dlpi_phdr[i];
    const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_GNU_EH_FRAME) frames = &part;
    if (part.p_type != PT_LOAD || search.address < begin || search.address >= begin + part.p_memsz)
      continue;
    holds = true;
    search.found->dlfo_map_start = reinterpret_cast<void*>(begin);
    search.found->dlfo_map_end = reinterpret_cast<void*>(begin + part.p_memsz);
  }
  if (!holds || frames == nullptr) return 0;
  search.found->dlfo_eh_frame = reinterpret_cast<void*>(object->dlpi_addr + frames->p_vaddr);
  return 1;
}

}  // namespace

// glibc 2.35, for the unwinding of exceptions: where the frames of the code at an address are
// described.
extern "C" __attribute__((visibility("hidden"))) int _dl_find_object(
    void* address, dl_find_object* found) noexcept {
  *found = {};
  Search search{reinterpret_cast<std::uintptr_t>(address), found};
  return dl_iterate_phdr(look_at, &search) == 1 ? 0 : -1;
}
#endif
