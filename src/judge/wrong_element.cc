#include "judge/wrong_element.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace hone::judge {
namespace {

constexpr std::int64_t neighbours = 2;      // that are shown on each side
constexpr std::int64_t expected_bytes = 8;  // of an expected value: f64 or i64

std::string index_text(const std::vector<std::int64_t>& dims, std::int64_t index) {
  std::string text;
  for (auto dim = dims.rbegin(); dim != dims.rend(); ++dim) {
    text = fmt::format("[{}]", index % *dim) + text;
    index /= *dim;
  }
  return text;
}

std::string value_text(core::DType dtype, const void* element) {
  return core::is_float(dtype) ? fmt::format("{:.7g}", core::load_as_double(dtype, element))
                               : fmt::format("{}", core::load_as_integer(dtype, element));
}

}  // namespace

// A few elements beside the wrong one say what kind of mistake it is: a tail that is missing, rows
// exchanged, one lane. Only they are read from the device.
std::string describe_element(device::TensorOps& ops, const Guarded& actual, const Guarded& expected,
                             std::int64_t index) {
  if (index < 0) return "";
  const auto size = static_cast<std::int64_t>(core::size_of(actual.shape.dtype));
  const auto elements = static_cast<std::int64_t>(actual.shape.bytes) / size;
  const std::int64_t first = std::max<std::int64_t>(0, index - neighbours),
                     last = std::min(elements - 1, index + neighbours);
  const auto count = static_cast<std::size_t>(last - first + 1);
  std::vector<char> got(count * static_cast<std::size_t>(size)),
      wanted(count * static_cast<std::size_t>(expected_bytes));
  ops.read({actual.data.block, actual.data.offset + static_cast<std::uint64_t>(first * size),
            got.size()},
           got.data());
  ops.read(
      {expected.data.block,
       expected.data.offset + static_cast<std::uint64_t>(first * expected_bytes), wanted.size()},
      wanted.data());
  std::string text =
      fmt::format("At {}{}:", actual.shape.name, index_text(actual.shape.dims, index));
  for (std::int64_t i = first; i <= last; ++i)
    text +=
        fmt::format("{} {}{} (expected {})", i == first ? "" : ",", i == index ? "▸" : "",
                    value_text(actual.shape.dtype, got.data() + (i - first) * size),
                    value_text(expected.shape.dtype, wanted.data() + (i - first) * expected_bytes));
  return text;
}

bool has_nans_from(device::TensorOps& ops, const Guarded& actual, std::int64_t index) {
  constexpr std::int64_t most = 1024;
  if (index < 0 || !core::is_float(actual.shape.dtype)) return false;
  const auto size = static_cast<std::int64_t>(core::size_of(actual.shape.dtype));
  const std::int64_t count =
      std::min(static_cast<std::int64_t>(actual.shape.bytes) / size - index, most);
  std::vector<char> got(static_cast<std::size_t>(count * size));
  ops.read({actual.data.block, actual.data.offset + static_cast<std::uint64_t>(index * size),
            got.size()},
           got.data());
  std::int64_t nans = 0, infinite = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = core::load_as_double(actual.shape.dtype, got.data() + i * size);
    nans += std::isnan(value) ? 1 : 0;
    infinite += std::isinf(value) ? 1 : 0;
  }
  // Poison is NaN; a candidate whose arithmetic overflows has infinities among them.
  return nans > infinite;
}

std::string_view name_of(core::Variant variant) {
  switch (variant) {
    case core::Variant::shifted:
      return "shifted";
    case core::Variant::flipped:
      return "flipped";
    case core::Variant::heavy:
      return "heavy";
    case core::Variant::large:
      return "large";
    default:
      return "plain";
  }
}

std::string variant_note(core::Variant variant) {
  return variant == core::Variant::plain ? ""
                                         : fmt::format(" (inputs: variant {})", name_of(variant));
}

}  // namespace hone::judge
