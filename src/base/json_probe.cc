#include "base/json_probe.h"

#include <nlohmann/json.hpp>
#include <ostream>

namespace hone::base {
namespace {

using nlohmann::json;

const json& value_of(const void* at) { return *static_cast<const json*>(at); }

}  // namespace

JsonProbe::JsonProbe(std::string_view text) {
  const auto root = std::make_shared<const json>(json::parse(text));
  at_ = root.get();
  document_ = root;
}

JsonProbe JsonProbe::operator[](std::string_view name) const {
  JsonProbe part = *this;
  part.at_ = &value_of(at_).at(name);
  return part;
}

JsonProbe JsonProbe::operator[](std::size_t item) const {
  JsonProbe part = *this;
  part.at_ = &value_of(at_).at(item);
  return part;
}

bool JsonProbe::contains(std::string_view name) const { return value_of(at_).contains(name); }
std::string_view JsonProbe::kind() const { return value_of(at_).type_name(); }
std::size_t JsonProbe::size() const { return value_of(at_).size(); }
std::string JsonProbe::text() const { return value_of(at_).get<std::string>(); }
double JsonProbe::number() const { return value_of(at_).get<double>(); }
JsonProbe::operator bool() const { return value_of(at_).get<bool>(); }
std::string JsonProbe::dump() const { return value_of(at_).dump(); }

std::vector<JsonProbe> JsonProbe::items() const {
  std::vector<JsonProbe> items;
  for (const auto& part : value_of(at_)) {
    items.push_back(*this);
    items.back().at_ = &part;
  }
  return items;
}

std::vector<std::string> JsonProbe::names() const {
  std::vector<std::string> names;
  for (const auto& [name, part] : value_of(at_).items()) names.push_back(name);
  return names;
}

std::ostream& operator<<(std::ostream& out, const JsonProbe& probe) {
  return out << probe.dump();
}

}  // namespace hone::base
