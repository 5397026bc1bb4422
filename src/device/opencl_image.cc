#include "device/opencl_image.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

namespace hone::device {
namespace {

constexpr std::string_view magic = "hone opencl image 1";

// Lines of fields between tabs, then the binary as it is.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::string_view line() {
    const std::size_t end = rest_.find('\n');
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return found;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

std::string_view field(std::string_view& line) {
  const std::size_t end = line.find('\t');
  const std::string_view found = line.substr(0, end);
  line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  return found;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string write_image(const OpenClImage& image) {
  std::string text = fmt::format("{}\n", magic);
  for (const KernelInfo& kernel : image.kernels) {
    text += fmt::format("kernel\t{}\n", kernel.name);
    for (const KernelParameter& parameter : kernel.parameters)
      text += fmt::format("parameter\t{}\t{}\t{}\t{}\n", static_cast<int>(parameter.kind),
                          parameter.bytes, parameter.type, parameter.name);
  }
  return text + "binary\n" + image.binary;
}

base::Result<OpenClImage> read_image(const std::string& text) {
  const base::Failure damaged{std::string("this is no OpenCL image that Hone built")};
  Reader reader(text);
  if (reader.line() != magic) return damaged;
  OpenClImage image;
  for (;;) {
    std::string_view line = reader.line();
    const std::string_view word = field(line);
    if (word == "binary") break;
    if (word == "kernel") {
      image.kernels.push_back({.name = std::string(field(line))});
    } else if (word == "parameter" && !image.kernels.empty()) {
      const auto kind = number(field(line)), bytes = number(field(line));
      if (!kind || *kind > static_cast<std::uint64_t>(KernelParameter::Kind::scalar) || !bytes)
        return damaged;
      const std::string type(field(line)), name(field(line));
      image.kernels.back().parameters.push_back(
          {static_cast<KernelParameter::Kind>(*kind), *bytes, type, name});
    } else {
      return damaged;
    }
  }
  image.binary = reader.rest();
  return image;
}

}  // namespace hone::device
