#include "judge/precision/tensor_instructions.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/error.h"
#include "base/hash.h"
#include "device/tools.h"
#include "runner/inspect.h"

namespace hone::judge {

std::map<std::string, int> tensor_instructions(std::string_view listing) {
  std::map<std::string, int> found;
  for (std::size_t at = 0; at < listing.size();) {
    const auto end = std::min(listing.find('\n', at), listing.size());
    const std::string_view line = listing.substr(at, end - at);
    at = end + 1;
    for (const char* name :
         {"HMMA.", "HGMMA.", "QMMA.", "QGMMA.", "UTCHMMA", "UTCQMMA", "DMMA.", "IMMA.", "IGMMA."}) {
      const auto start = line.find(name);
      if (start == std::string_view::npos || (start > 0 && line[start - 1] != ' ')) continue;
      const auto word = line.substr(start, line.find(' ', start) - start);
      const auto has = [&](const char* part) { return word.find(part) != std::string_view::npos; };
      ++found[name[0] == 'D'                                               ? "f64"
              : name[0] == 'I'                                             ? "i8"
              : std::string_view(name).find('Q') != std::string_view::npos ? "f8"
              : has("TF32")                                                ? "tf32"
              : has("BF16")                                                ? "bf16"
                                                                           : "f16"];
      break;
    }
  }
  return found;
}

std::shared_future<TensorCounts> tensor_counts(const std::string& image) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_future<TensorCounts>> begun;
  const std::string key = base::Hasher().add(image).hex();
  const std::lock_guard lock(mutex);
  auto& counts = begun[key];
  if (!counts.valid())
    counts = std::async(std::launch::async, [image]() -> TensorCounts {
      try {
        const auto program = device::find_tool("nvdisasm");
        if (program.empty())
          return base::Failure{std::string("nvdisasm, of the CUDA toolkit, was not found")};
        const auto listing = runner::inspect({program, {"-c", "{}"}, image});
        if (!listing) return base::Failure{listing.error()};
        return tensor_instructions(*listing);
      } catch (const base::Error& error) {
        return base::Failure{std::string(error.what())};
      }
    });
  return counts;
}

std::string precision_in_name(std::string_view name) {
  // "bf16" before "f16", which it contains; s1688gemm is how cuBLAS calls products of TF32 numbers.
  constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"tf32", "tf32"},     {"s1688gemm", "tf32"}, {"bf16", "bf16"}, {"bfloat16", "bf16"},
      {"BFloat16", "bf16"}, {"e4m3", "f8"},        {"e5m2", "f8"},   {"fp8", "f8"},
      {"f16", "f16"},       {"fp16", "f16"},       {"half", "f16"},  {"Half", "f16"},
      {"h1688", "f16"},     {"h16816", "f16"}};
  for (const auto& [word, type] : words)
    if (name.find(word) != std::string_view::npos) return std::string(type);
  return "";
}

std::map<std::string, double> shares_by_precision(const std::vector<device::Activity>& activities) {
  std::map<std::string, double> shares;
  double all = 0;
  for (const auto& one : activities) {
    const double seconds = std::max(0.0, one.end - one.start);
    all += seconds;
    if (const auto type = precision_in_name(one.name); !type.empty()) shares[type] += seconds;
  }
  if (!(all > 0)) return {};
  for (auto& [type, share] : shares) share /= all;
  return shares;
}

}  // namespace hone::judge
