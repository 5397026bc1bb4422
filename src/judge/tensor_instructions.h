#pragma once
// In which precision products are computed, as far as can be told from outside: instructions of the tensor cores in a
// listing of nvdisasm, and the names of libraries' kernels. Pure.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"

namespace hone::judge {

std::map<std::string, int> tensor_instructions(std::string_view listing);  // "tf32", "bf16", "f16", "f8", "i8", "f64"

// The type of operands that a kernel's name tells ("sm90_xmma_gemm_f32f32_tf32f32_f32_..."); "" where it tells none.
std::string precision_in_name(std::string_view name);
// The share of the device's time in kernels whose names tell a type, by type.
std::map<std::string, double> shares_by_precision(const std::vector<device::Activity>& activities);

}  // namespace hone::judge
