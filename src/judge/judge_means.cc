// By which means an accepted candidate does it, as far as can be told: instructions of the tensor cores in what was
// built, and how much of the device's time is in kernels of its own.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "base/error.h"
#include "base/hash.h"
#include "device/tools.h"
#include "judge/judge_case.h"
#include "judge/tensor_instructions.h"
#include "runner/inspect.h"

namespace hone::judge {

std::map<std::string, int> tensor_instructions(std::string_view listing) {
  std::map<std::string, int> found;
  for (std::size_t at = 0; at < listing.size();) {
    const auto end = std::min(listing.find('\n', at), listing.size());
    const std::string_view line = listing.substr(at, end - at);
    at = end + 1;
    for (const char* name : {"HMMA.", "HGMMA.", "QMMA.", "QGMMA.", "UTCHMMA", "UTCQMMA", "DMMA.", "IMMA.", "IGMMA."}) {
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
        if (program.empty()) return base::Failure{std::string("nvdisasm, of the CUDA toolkit, was not found")};
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
      {"tf32", "tf32"}, {"s1688gemm", "tf32"}, {"bf16", "bf16"}, {"bfloat16", "bf16"}, {"BFloat16", "bf16"},
      {"e4m3", "f8"},   {"e5m2", "f8"},        {"fp8", "f8"},    {"f16", "f16"},       {"fp16", "f16"},
      {"half", "f16"},  {"Half", "f16"},       {"h1688", "f16"}, {"h16816", "f16"}};
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

void Judge::note_named_precisions(const CaseRun& run, const std::vector<device::Activity>& activities,
                                  core::Evaluation& evaluation) {
  for (const auto& [type, share] : shares_by_precision(activities))
    evaluation.metrics.push_back({"precision.named_kernels." + type, "1", share, "", run.which.name, {}, {}});
}

void Judge::note_means(const Ready& ready, core::Evaluation& evaluation) const {
  const auto add = [&](const std::string& tag, std::optional<double> value, const std::string& missing = "") {
    evaluation.metrics.push_back({tag, "1", value, missing, "", {}, {}});
  };
  // What runs beside a plan's own kernels was recorded with the case that is timed.
  const bool python = ready.candidate.language == core::Language::python;
  if (python && info_.is_cpu)
    add("share.own_kernels", std::nullopt, "on a CPU nothing tells a candidate's own code from a library's");
  else if (!python && !core::has_operations(ready.candidate.plan))
    add("share.own_kernels", 1);
  if (ready.candidate.language != core::Language::cuda || ready.image.empty()) return;
  constexpr const char* tag = "precision.tensor_instructions";
  const auto counts = tensor_counts(ready.image).get();
  if (!counts) return add(tag, std::nullopt, counts.error());
  double all = 0;
  for (const auto& [type, count] : *counts) {
    add(fmt::format("{}.{}", tag, type), count);
    all += count;
  }
  add(tag, all);
}

}  // namespace hone::judge
