#pragma once
// Instructions of the tensor cores in a listing of nvdisasm, counted by the type of their operands. Pure.
#include <map>
#include <string>
#include <string_view>

namespace hone::judge {

std::map<std::string, int> tensor_instructions(std::string_view listing);  // "tf32", "bf16", "f16", "f8", "i8", "f64"

}  // namespace hone::judge
