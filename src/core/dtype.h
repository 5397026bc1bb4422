#pragma once
// Element types of tensors and scalars, and exact conversion to and from double. Rounding to half
// and bfloat16 is done here and not by the processor, so that it is the same on every machine. Pure
// functions.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hone::core {

enum class DType : std::uint8_t { f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8 };

std::size_t size_of(DType dtype);
std::string_view name_of(DType dtype);
std::optional<DType> dtype_from(std::string_view name);
bool is_float(DType dtype);
// i16, u16, u32 and u64 are widths of scalar arguments only.
bool is_tensor_dtype(DType dtype);

double load_as_double(DType dtype, const void* element);
std::int64_t load_as_integer(DType dtype, const void* element);  // integer types only
void store_double(DType dtype, double value,
                  void* element);  // rounds to nearest even; integers saturate
void store_integer(DType dtype, std::int64_t value, void* element);

float half_to_float(std::uint16_t bits);
std::uint16_t half_from_double(double value);
float bf16_to_float(std::uint16_t bits);
std::uint16_t bf16_from_double(double value);

}  // namespace hone::core
