#include "adapters/task_key.h"

#include "base/hash.h"
#include "base/resources.h"

namespace hone::adapters {

std::string task_key(std::string_view form, const std::vector<std::string_view>& parts) {
  constexpr std::size_t length = 12;
  base::Hasher hasher;
  hasher.add(form);
  for (const auto part : parts) hasher.add(part);
  // All of them: what one script says of a problem comes from those that it imports.
  for (const auto& name : base::resource_names("python/"))
    if (name.ends_with(".py")) hasher.add(name).add(base::resource(name));
  return hasher.hex().substr(0, length);
}

}  // namespace hone::adapters
