#include "store/encoding.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"

namespace hone::store {
namespace {

template <typename T>
T decode(const std::string& text) {
  auto value = base::from_json<T>(text);
  if (!value)
    base::fail(base::ExitCode::archive,
               "the archive holds a value that is damaged or was written by a newer hone: {}",
               value.error());
  return *std::move(value);
}

}  // namespace

std::string encode(const core::Point& point) { return base::json_line(point); }
std::string encode(const std::map<std::string, double>& map) { return base::json_line(map); }
std::string encode(const std::vector<int>& lines) { return base::json_line(lines); }
std::string encode(const std::vector<std::string>& names) { return base::json_line(names); }

core::Point decode_point(const std::string& text) { return decode<core::Point>(text); }
std::map<std::string, double> decode_numbers(const std::string& text) {
  return decode<std::map<std::string, double>>(text);
}
std::vector<int> decode_lines(const std::string& text) { return decode<std::vector<int>>(text); }
std::vector<std::string> decode_names(const std::string& text) {
  return decode<std::vector<std::string>>(text);
}

std::vector<unsigned char> identity_of(const core::EvaluationKey& key) {
  base::Hasher hasher;
  hasher.add(key.candidate).add(key.task).add(key.device).add(key.driver).add(key.compiler);
  hasher.add(std::to_string(key.protocol)).add(core::name_of(key.depth));
  hasher.add(std::to_string(key.point.size()));
  for (const auto& [name, value] : key.point) hasher.add(name).add(std::to_string(value));
  for (const std::string& name : key.cases) hasher.add(name);
  const std::string hex = hasher.hex();
  std::vector<unsigned char> bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes.push_back(static_cast<unsigned char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

}  // namespace hone::store
