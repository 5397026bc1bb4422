#include <cstring>
#include <vector>

#include "device/host_compare.h"
#include "device/host_threads.h"

namespace hone::device {
namespace {

inline std::uint64_t fold(std::uint64_t a,
                          std::uint64_t b) {  // both halves of the product, as wyhash mixes
  __extension__ using Product = unsigned __int128;
  const Product product = Product{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t word_at(const unsigned char* in) {
  std::uint64_t word;
  std::memcpy(&word, in, sizeof word);
  return word;
}

std::uint64_t fingerprint_piece(const unsigned char* in, std::uint64_t bytes, std::uint64_t key,
                                std::uint64_t index) {
  constexpr int lanes = 4, step = 16 * lanes;
  std::uint64_t state[lanes], secret[lanes];
  for (int lane = 0; lane < lanes; ++lane) {
    secret[lane] = fold(key ^ 0xa0761d6478bd642full,
                        0xe7037ed1a0b428dbull + 2 * static_cast<std::uint64_t>(lane));
    state[lane] = fold(secret[lane] ^ index, 0x8ebc6af09c88c6e3ull ^ key);
  }
  std::uint64_t at = 0;
  for (; at + step <= bytes; at += step)
    for (int lane = 0; lane < lanes; ++lane)
      state[lane] = fold(word_at(in + at + 16 * lane) ^ secret[lane],
                         word_at(in + at + 16 * lane + 8) ^ state[lane]);
  unsigned char tail[step] = {};
  if (at < bytes) std::memcpy(tail, in + at, bytes - at);
  std::uint64_t result = bytes;
  for (int lane = 0; lane < lanes; ++lane) {
    state[lane] =
        fold(word_at(tail + 16 * lane) ^ secret[lane], word_at(tail + 16 * lane + 8) ^ state[lane]);
    result = fold(result ^ state[lane], secret[lane] ^ 0x589965cc75374cc3ull);
  }
  return result;
}

}  // namespace

std::uint64_t fingerprint_of(const unsigned char* in, std::uint64_t bytes, std::uint64_t key) {
  constexpr std::uint64_t size = 512 << 10;  // bytes that have a print of their own
  std::vector<std::uint64_t> prints((bytes + size - 1) / size);
  over_threads(bytes, size, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t at = begin; at < end; at += size)
      prints[at / size] = fingerprint_piece(in + at, std::min(size, end - at), key, at / size);
  });
  return fingerprint_piece(reinterpret_cast<const unsigned char*>(prints.data()), prints.size() * 8,
                           ~key, bytes);
}

}  // namespace hone::device
