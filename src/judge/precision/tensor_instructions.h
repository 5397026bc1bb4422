#pragma once
// The precision in which a candidate computes products, as far as it shows from outside: the
// tensor-core instructions in an nvdisasm listing, and the names of library kernels. It is
// reported; no verdict follows from it.
#include <future>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/device.h"

namespace hone::judge {

// How many tensor-core instructions a listing has, by operand type: "tf32", "bf16", "f16", "f8",
// "i8", "f64".
std::map<std::string, int> tensor_instructions(std::string_view listing);

// The same for an image that was built, or why it is not known. nvdisasm takes half a second for
// any image, so it runs on another thread, started when the image was built, and once for each
// image. May be called from several threads.
using TensorCounts = base::Result<std::map<std::string, int>>;
std::shared_future<TensorCounts> tensor_counts(const std::string& image);

// The operand type in a kernel's name ("sm90_xmma_gemm_f32f32_tf32f32_f32_..."); "" if the name
// contains none.
std::string precision_in_name(std::string_view name);
// By operand type, the share of the device's time that was spent in kernels whose names contain
// one.
std::map<std::string, double> shares_by_precision(const std::vector<device::Activity>& activities);

}  // namespace hone::judge
