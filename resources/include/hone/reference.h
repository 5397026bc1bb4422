#pragma once
// For reference.cc of a task: HONE_REFERENCE(call) { ... } is compiled twice, with `real` as double
// for the truth and as float for the error an honest kernel makes. See docs/formats.md.
#include <hone/reference_abi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#ifndef HONE_REAL
#define HONE_REAL double
#endif
using real = HONE_REAL;

namespace hone {

inline float from_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16,
                      exponent = (bits >> 10) & 0x1fu, fraction = bits & 0x3ffu;
  if (exponent == 0)
    return (sign != 0 ? -1.0f : 1.0f) * std::ldexp(static_cast<float>(fraction), -24);
  const std::uint32_t word =
      sign | ((exponent == 0x1f ? 0xffu : exponent + 112) << 23) | (fraction << 13);
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

inline float from_bfloat(std::uint16_t bits) {
  const std::uint32_t word = static_cast<std::uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

// The inputs, sizes and scalars of one call, and the outputs it has to fill. A wrong name stops the
// reference with a message.
class Call {
 public:
  explicit Call(const hone_abi_call& abi) : abi_(abi) {}

  // A symbol of the case, or an integer scalar.
  std::int64_t size(std::string_view name) const {
    for (std::int64_t i = 0; i < abi_.size_count; ++i)
      if (name == abi_.sizes[i].name) return abi_.sizes[i].value;
    for (std::int64_t i = 0; i < abi_.scalar_count; ++i)
      if (name == abi_.scalars[i].name && abi_.scalars[i].is_integer != 0)
        return abi_.scalars[i].integer;
    throw missing("size", name);
  }

  real scalar(std::string_view name) const {
    for (std::int64_t i = 0; i < abi_.scalar_count; ++i)
      if (name == abi_.scalars[i].name) return static_cast<real>(abi_.scalars[i].value);
    throw missing("scalar", name);
  }

  // The exact values of a floating-point input.
  std::vector<real> input(std::string_view name) const {
    const auto& tensor = find(abi_.inputs, abi_.input_count, "input", name);
    const std::string_view dtype = tensor.dtype;
    if (dtype == "f64")
      return converted<double, real>(tensor, [](double v) { return static_cast<real>(v); });
    if (dtype == "f32")
      return converted<float, real>(tensor, [](float v) { return static_cast<real>(v); });
    if (dtype == "f16")
      return converted<std::uint16_t, real>(
          tensor, [](std::uint16_t v) { return static_cast<real>(from_half(v)); });
    if (dtype == "bf16")
      return converted<std::uint16_t, real>(
          tensor, [](std::uint16_t v) { return static_cast<real>(from_bfloat(v)); });
    throw wrong_kind(tensor, "integers");
  }

  // An integer input.
  std::vector<std::int64_t> integers(std::string_view name) const {
    const auto& tensor = find(abi_.inputs, abi_.input_count, "input", name);
    const std::string_view dtype = tensor.dtype;
    const auto widen = [](auto v) { return static_cast<std::int64_t>(v); };
    if (dtype == "i64") return converted<std::int64_t, std::int64_t>(tensor, widen);
    if (dtype == "i32") return converted<std::int32_t, std::int64_t>(tensor, widen);
    if (dtype == "i8") return converted<std::int8_t, std::int64_t>(tensor, widen);
    if (dtype == "u8") return converted<std::uint8_t, std::int64_t>(tensor, widen);
    throw wrong_kind(tensor, "input");
  }

  // A floating-point output, of the right size and zero; to be filled.
  std::vector<real>& output(std::string_view name) {
    return prepared(name, true, reals_, "output_integers");
  }
  // An integer output, likewise.
  std::vector<std::int64_t>& output_integers(std::string_view name) {
    return prepared(name, false, integers_, "output");
  }

  // Hands the outputs over; called once the reference has returned.
  void deliver() const {
    for (std::int64_t i = 0; i < abi_.output_count; ++i) {
      const auto& tensor = abi_.outputs[i];
      if (is_float(tensor))
        copy(tensor, reals_, static_cast<double*>(tensor.data), "output");
      else
        copy(tensor, integers_, static_cast<std::int64_t*>(tensor.data), "output_integers");
    }
  }

 private:
  static bool is_float(const hone_abi_tensor& tensor) {
    return std::string_view(tensor.dtype).find('f') != std::string_view::npos;
  }
  static std::runtime_error missing(const char* what, std::string_view name) {
    return std::runtime_error(std::string("the task has no ") + what + " '" + std::string(name) +
                              "'");
  }
  static std::runtime_error wrong_kind(const hone_abi_tensor& tensor, const char* function) {
    return std::runtime_error(std::string("'") + tensor.name + "' is " + tensor.dtype +
                              ": use call." + function + "(\"" + tensor.name + "\")");
  }

  static const hone_abi_tensor& find(const hone_abi_tensor* tensors, std::int64_t count,
                                     const char* what, std::string_view name) {
    for (std::int64_t i = 0; i < count; ++i)
      if (name == tensors[i].name) return tensors[i];
    throw missing(what, name);
  }

  template <typename From, typename To, typename Convert>
  static std::vector<To> converted(const hone_abi_tensor& tensor, Convert convert) {
    std::vector<To> values(static_cast<std::size_t>(tensor.elements));
    const From* from = static_cast<const From*>(tensor.data);
#ifdef _OPENMP
#pragma omp parallel for
#endif
    for (std::int64_t i = 0; i < tensor.elements; ++i)
      values[static_cast<std::size_t>(i)] = convert(from[i]);
    return values;
  }

  template <typename T>
  std::vector<T>& prepared(std::string_view name, bool real_values,
                           std::map<std::string, std::vector<T>, std::less<>>& kept,
                           const char* other) {
    const auto& tensor = find(abi_.outputs, abi_.output_count, "output", name);
    if (is_float(tensor) != real_values) throw wrong_kind(tensor, other);
    const auto known = kept.find(name);
    if (known != kept.end()) return known->second;
    return kept.emplace(name, std::vector<T>(static_cast<std::size_t>(tensor.elements)))
        .first->second;
  }

  template <typename T, typename To>
  static void copy(const hone_abi_tensor& tensor,
                   const std::map<std::string, std::vector<T>, std::less<>>& kept, To* to,
                   const char* function) {
    const auto found = kept.find(std::string_view(tensor.name));
    if (found == kept.end())
      throw std::runtime_error(std::string("the output '") + tensor.name +
                               "' was not filled: call." + function + "(\"" + tensor.name + "\")");
    if (static_cast<std::int64_t>(found->second.size()) != tensor.elements)
      throw std::runtime_error(std::string("the output '") + tensor.name + "' was left with " +
                               std::to_string(found->second.size()) + " elements; it has " +
                               std::to_string(tensor.elements));
    std::copy(found->second.begin(), found->second.end(), to);
  }

  const hone_abi_call& abi_;
  std::map<std::string, std::vector<real>, std::less<>> reals_;
  std::map<std::string, std::vector<std::int64_t>, std::less<>> integers_;
};

// Runs a reference; nothing it throws crosses the border.
inline void run_reference(const hone_abi_call* abi, void (*reference)(Call&)) noexcept {
  const auto say = [abi](const char* text) {
    if (abi->error == nullptr || abi->error_size <= 0) return;
    std::strncpy(abi->error, text, static_cast<std::size_t>(abi->error_size) - 1);
    abi->error[abi->error_size - 1] = '\0';
  };
  say("");
  if (abi->version != hone_abi_version)
    return say("the reference was compiled for another version of hone");
  try {
    Call call(*abi);
    reference(call);
    call.deliver();
  } catch (const std::bad_alloc&) {
    say("there is not enough memory for it: use less, or make the case smaller");
  } catch (const std::exception& error) {
    say(error.what()[0] != '\0' ? error.what() : "an exception without a text");
  } catch (...) {
    say("an exception that is no std::exception");
  }
}

}  // namespace hone

#define HONE_REFERENCE(call)                                                   \
  static void hone_reference_body(hone::Call& call);                           \
  extern "C" __attribute__((visibility("default"))) void hone_reference_entry( \
      const hone_abi_call* abi) {                                              \
    hone::run_reference(abi, hone_reference_body);                             \
  }                                                                            \
  static void hone_reference_body([[maybe_unused]] hone::Call& call)
