// Tensor maps: from the plan's row-major words to the innermost-first numbers of
// cuTensorMapEncodeTiled, with the driver's rules checked beforehand because it answers every
// breach with the same CUDA_ERROR_INVALID_VALUE.
#include <fmt/format.h>

#include <optional>

#include "device/cuda_launch.h"

namespace hone::device::cuda {
namespace {

constexpr std::int64_t largest_box = 256, largest_element_stride = 8;
constexpr std::uint64_t largest_dimension = std::uint64_t{1} << 32,
                        largest_stride = std::uint64_t{1} << 40;
constexpr std::uint64_t copy_unit =
    16;  // bytes; the copy engine moves whole units, so strides and the box's rows come in them

std::optional<int> type_of(core::DType dtype) {
  switch (dtype) {
    case core::DType::u8:
    case core::DType::i8:
      return tensormap_u8;  // only moved, never interpreted
    case core::DType::i32:
      return tensormap_i32;
    case core::DType::i64:
      return tensormap_i64;
    case core::DType::f16:
      return tensormap_f16;
    case core::DType::f32:
      return tensormap_f32;
    case core::DType::f64:
      return tensormap_f64;
    case core::DType::bf16:
      return tensormap_bf16;
    default:
      return std::nullopt;
  }
}

// The position of a number of bytes in the driver's enumeration, -1 if it is not there.
int position(int bytes, std::initializer_list<int> choices) {
  int index = 0;
  for (const int choice : choices) {
    if (choice == bytes) return index;
    ++index;
  }
  return -1;
}

std::string shape_complaint(const core::ResolvedTensorMap& map,
                            const core::ResolvedBuffer& buffer) {
  const std::size_t rank = map.dims.size();
  if (rank < 1 || rank > 5) return fmt::format("has {} dimensions; 1 to 5 are possible", rank);
  if (map.box.size() != rank)
    return fmt::format("has {} dimensions but a box of {}", rank, map.box.size());
  if (!map.element_strides.empty() && map.element_strides.size() != rank)
    return fmt::format("has {} dimensions but {} element strides", rank,
                       map.element_strides.size());
  Wide elements = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    if (map.dims[i] < 1 || static_cast<std::uint64_t>(map.dims[i]) > largest_dimension)
      return fmt::format("has a dimension of {}; 1 to 2^32 are possible", map.dims[i]);
    if (map.box[i] < 1 || map.box[i] > largest_box)
      return fmt::format("has a box of {} in a dimension; 1 to {} are possible", map.box[i],
                         largest_box);
    if (!map.element_strides.empty() &&
        (map.element_strides[i] < 1 || map.element_strides[i] > largest_element_stride))
      return fmt::format("has an element stride of {}; 1 to {} are possible",
                         map.element_strides[i], largest_element_stride);
    elements *= map.dims[i];
    if (elements > Wide(buffer.bytes / core::size_of(buffer.dtype)))
      return fmt::format("sees more elements than '{}' has ({})", buffer.name,
                         buffer.bytes / core::size_of(buffer.dtype));
  }
  return {};
}

std::string layout_complaint(const core::ResolvedTensorMap& map, const core::ResolvedBuffer& buffer,
                             const TiledMap& tiled) {
  if (tiled.interleave < 0 || tiled.swizzle < 0 || tiled.l2 < 0)
    return "has a swizzle of none, 32, 64 or 128 bytes, an interleave of none, 16 or 32, an L2 "
           "promotion of none, 64, 128 or 256";
  if (map.interleave != 0 && tiled.rank < 3)
    return "is interleaved, which needs at least 3 dimensions";
  if (map.interleave == 32 && map.swizzle != 32)
    return "has an interleave of 32B, which needs a swizzle of 32B";
  const std::uint64_t unit = map.interleave == 32 ? 32 : copy_unit;
  for (int i = 0; i + 1 < tiled.rank; ++i)
    if (tiled.strides[i] % unit != 0 || tiled.strides[i] >= largest_stride)
      return fmt::format(
          "has a row of {} bytes (dimension {} from the inside); rows must be a multiple of {} "
          "bytes and below 2^40",
          tiled.strides[i], i, unit);
  const std::uint64_t inner = tiled.box[0] * core::size_of(buffer.dtype);
  if (map.interleave == 0 && inner % copy_unit != 0)
    return fmt::format("has a box with rows of {} bytes; they must be a multiple of {}", inner,
                       copy_unit);
  if (map.interleave == 0 && map.swizzle != 0 && inner > static_cast<std::uint64_t>(map.swizzle))
    return fmt::format("has a box with rows of {} bytes, more than its swizzle of {}", inner,
                       map.swizzle);
  if (map.fill_nan && !core::is_float(buffer.dtype))
    return "fills with NaN, which integers do not have";
  return {};
}

}  // namespace

base::Result<TiledMap> tiled_map(const core::ResolvedTensorMap& map,
                                 const core::ResolvedBuffer& buffer) {
  const auto failure = [&](const std::string& text) {
    return base::Failure{fmt::format("tensor map '{}' {}", map.name, text)};
  };
  const auto type = type_of(buffer.dtype);
  if (!type)
    return failure(fmt::format("is over '{}', whose type {} has no tensor maps", buffer.name,
                               core::name_of(buffer.dtype)));
  if (const auto text = shape_complaint(map, buffer); !text.empty()) return failure(text);
  TiledMap tiled{.type = *type, .rank = static_cast<int>(map.dims.size())};
  std::uint64_t stride = core::size_of(buffer.dtype);
  for (int i = 0; i < tiled.rank; ++i) {
    const auto from = static_cast<std::size_t>(tiled.rank - 1 - i);
    tiled.dims[i] = static_cast<std::uint64_t>(map.dims[from]);
    tiled.box[i] = static_cast<std::uint32_t>(map.box[from]);
    tiled.element_strides[i] =
        map.element_strides.empty() ? 1 : static_cast<std::uint32_t>(map.element_strides[from]);
    stride *= tiled.dims[i];
    tiled.strides[i] = stride;  // from one element of dimension i + 1 to the next
  }
  tiled.interleave = position(map.interleave, {0, 16, 32});
  tiled.swizzle = position(map.swizzle, {0, 32, 64, 128});
  tiled.l2 = position(map.l2, {0, 64, 128, 256});
  tiled.fill = map.fill_nan ? 1 : 0;
  if (const auto text = layout_complaint(map, buffer, tiled); !text.empty()) return failure(text);
  return tiled;
}

}  // namespace hone::device::cuda
