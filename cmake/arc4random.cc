// Of a portable build alone: libstdc++'s std::random_device asks for arc4random, which glibc has from 2.36 on. This one
// is found first, and asks the kernel, so that the binary runs on older machines (HONE_OLDEST_GLIBC).
#include <sys/random.h>

#include <cstdint>

extern "C" __attribute__((visibility("hidden"))) std::uint32_t arc4random() {
  std::uint32_t value = 0;
  if (getrandom(&value, sizeof value, 0) != sizeof value) __builtin_trap();  // so few bytes are never cut short
  return value;
}
