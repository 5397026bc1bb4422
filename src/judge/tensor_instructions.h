#pragma once
// In which precision products are computed, as far as can be told from outside: instructions of the tensor cores in a
// listing of nvdisasm, and the names of libraries' kernels.
#include <future>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/device.h"

namespace hone::judge {

std::map<std::string, int> tensor_instructions(std::string_view listing);  // "tf32", "bf16", "f16", "f8", "i8", "f64"

// The same of what was built, or why it is not known. Listing takes nvdisasm half a second, whatever it lists, so it is
// begun on another core when something is built, and once for each image. May be called from several threads.
using TensorCounts = base::Result<std::map<std::string, int>>;
std::shared_future<TensorCounts> tensor_counts(const std::string& image);

// The type of operands that a kernel's name tells ("sm90_xmma_gemm_f32f32_tf32f32_f32_..."); "" where it tells none.
std::string precision_in_name(std::string_view name);
// The share of the device's time in kernels whose names tell a type, by type.
std::map<std::string, double> shares_by_precision(const std::vector<device::Activity>& activities);

}  // namespace hone::judge
