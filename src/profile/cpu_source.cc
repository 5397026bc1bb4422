#include "profile/cpu_source.h"

#include <algorithm>
#include <vector>

#include "device/opencl_source.h"

namespace hone::profile {
namespace {

bool is_vector_word(std::string_view word) {
  for (const std::string_view count : {"2", "3", "4", "8", "16"}) {
    if (!word.ends_with(count)) continue;
    const std::string_view stem = word.substr(0, word.size() - count.size());
    for (const std::string_view scalar :
         {"float", "double", "half", "int", "uint", "long", "ulong", "short", "ushort", "char",
          "uchar", "vload", "vstore", "vload_half", "vstore_half"})
      if (stem == scalar) return true;
  }
  return false;
}

void count(std::string_view word, SourceFeatures& features) {
  if (is_vector_word(word)) ++features.vectors;
  if (word == "barrier" || word == "work_group_barrier") ++features.barriers;
  if (word == "__local" || word == "local") ++features.locals;
}

}  // namespace

SourceFeatures features_of(std::string_view source, std::string_view kernel) {
  const auto words = device::tokens_of(source);
  SourceFeatures features;
  bool declares = false, counts = true;  // declares: between `__kernel` and its `{`
  int depth = 0, kernel_depth = -1;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (depth == 0 && (word == "__kernel" || word == "kernel")) {
      declares = true;
      counts = false;
      for (std::size_t at = i; at < words.size() && words[at] != "{"; ++at)
        counts = counts || words[at] == kernel;
    }
    if (word == "{" && ++depth && declares) {
      kernel_depth = depth;
      declares = false;
    }
    if (counts) count(word, features);
    if (word == "}" && depth > 0) {
      if (depth == kernel_depth) {
        kernel_depth = -1;
        counts = true;
      }
      --depth;
    }
  }
  return features;
}

}  // namespace hone::profile
