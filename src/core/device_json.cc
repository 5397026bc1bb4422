#include "core/device_json.h"

#include <nlohmann/json.hpp>

#include "core/json.h"

namespace hone::core {

using nlohmann::json;

json to_json(const DeviceInfo& d) {
  return {{"id", d.id},
          {"language", name_of(d.language)},
          {"is_cpu", d.is_cpu},
          {"name", d.name},
          {"uuid", d.uuid},
          {"driver", d.driver},
          {"compiler", d.compiler},
          {"arch", d.arch},
          {"sm_count", d.sm_count},
          {"warp_size", d.warp_size},
          {"shared_per_block", d.shared_per_block},
          {"l2_bytes", d.l2_bytes},
          {"max_threads", d.max_threads},
          {"memory_bytes", d.memory_bytes},
          {"pin_bandwidth", number(d.pin_bandwidth)}};
}

DeviceInfo device_from(const json& v) {
  DeviceInfo d;
  const auto language = v.at("language").get<std::string>();
  d.id = v.at("id");
  d.language = known(language_from(language), language, "language");
  d.is_cpu = v.at("is_cpu");
  d.name = v.at("name");
  d.uuid = v.at("uuid");
  d.driver = v.at("driver");
  d.compiler = v.at("compiler");
  d.arch = v.at("arch");
  d.sm_count = v.at("sm_count");
  d.warp_size = v.at("warp_size");
  d.shared_per_block = v.at("shared_per_block");
  d.l2_bytes = v.at("l2_bytes");
  d.max_threads = v.at("max_threads");
  d.memory_bytes = v.at("memory_bytes");
  d.pin_bandwidth = number_from(v.at("pin_bandwidth"));
  return d;
}

json to_json(const Ceilings& c) {
  return {{"read", number(c.read)},    {"write", number(c.write)},   {"copy", number(c.copy)},
          {"flops", numbers(c.flops)}, {"groups", number(c.groups)}, {"calls", number(c.calls)}};
}

Ceilings ceilings_from(const json& v) {
  Ceilings c;
  c.read = number_from(v.at("read"));
  c.write = number_from(v.at("write"));
  c.copy = number_from(v.at("copy"));
  c.flops = numbers_from(v.at("flops"));
  if (v.contains("groups"))
    c.groups = number_from(v.at("groups"));  // earlier device files have neither
  if (v.contains("calls")) c.calls = number_from(v.at("calls"));
  return c;
}

}  // namespace hone::core
