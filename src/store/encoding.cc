#include "store/encoding.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"

namespace hone::store {

void read_encoded(const std::string& text, const base::Description& value) {
  try {
    base::read_json(text, value);
  } catch (const base::Error& error) {
    base::fail(base::ExitCode::archive,
               "the archive holds a value that is damaged or was written by a newer hone: {}",
               error.what());
  }
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
