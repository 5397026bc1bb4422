#include "runner/messages.h"

#include <nlohmann/json.hpp>

namespace hone::runner {

using core::DType;
using core::ResolvedArg;
using nlohmann::json;

namespace {

DType dtype_of(const json& value) {
  const auto dtype = core::dtype_from(value.get<std::string>());
  return dtype ? *dtype : DType::u8;
}

json arg_json(const ResolvedArg& arg) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < arg.bits.size(); ++i)
    bits |= static_cast<std::uint64_t>(arg.bits[i]) << (8 * i);
  json more;  // for operations only
  if (!arg.dims.empty() || arg.transposed || !arg.items.empty() || !arg.word.empty()) {
    json items = json::array();
    for (const auto& item : arg.items) items.push_back(arg_json(item));
    more = {
        {"dims", arg.dims}, {"transposed", arg.transposed}, {"items", items}, {"word", arg.word}};
  }
  return {static_cast<int>(arg.kind),
          arg.index,
          arg.integer,
          std::string(core::name_of(arg.dtype)),
          bits,
          arg.text,
          more};
}

// The further fields of a library's operation; null: it is a kernel.
json operation_json(const core::ResolvedLaunch& launch) {
  if (!launch.is_operation) return nullptr;
  json words = json::object();
  for (const auto& [name, arg] : launch.words) words[name] = arg_json(arg);
  return {{"words", words}, {"outs", launch.out}, {"tf32", launch.tf32}};
}

ResolvedArg arg_from(const json& value) {
  ResolvedArg arg;
  arg.kind = static_cast<ResolvedArg::Kind>(value.at(0).get<int>());
  arg.index = value.at(1);
  arg.integer = value.at(2);
  arg.dtype = dtype_of(value.at(3));
  const std::uint64_t bits = value.at(4);
  for (std::size_t i = 0; i < arg.bits.size(); ++i)
    arg.bits[i] = static_cast<unsigned char>(bits >> (8 * i));
  arg.text = value.at(5);
  return arg;
}

}  // namespace

json to_json(const core::ResolvedPlan& plan) {
  json buffers = json::array(), maps = json::array(), launches = json::array();
  for (const auto& b : plan.buffers)
    buffers.push_back(
        {b.name, static_cast<int>(b.role), std::string(core::name_of(b.dtype)), b.dims, b.bytes});
  for (const auto& m : plan.tensormaps)
    maps.push_back({m.name, m.buffer, m.dims, m.box, m.element_strides, m.swizzle, m.interleave,
                    m.l2, m.fill_nan});
  for (const auto& l : plan.launches) {
    json args = json::array();
    for (const auto& arg : l.args) args.push_back(arg_json(arg));
    launches.push_back({l.kernel, l.plan_index, l.grid, l.block, l.cluster, l.shared, l.cooperative,
                        args, operation_json(l)});
  }
  return {{"buffers", buffers}, {"maps", maps}, {"launches", launches}, {"call", plan.call}};
}

core::ResolvedPlan plan_from(const json& value) {
  core::ResolvedPlan plan;
  for (const auto& b : value.at("buffers"))
    plan.buffers.push_back({b.at(0), static_cast<core::ResolvedBuffer::Role>(b.at(1).get<int>()),
                            dtype_of(b.at(2)), b.at(3).get<std::vector<std::int64_t>>(), b.at(4)});
  for (const auto& m : value.at("maps"))
    plan.tensormaps.push_back({m.at(0), m.at(1), m.at(2).get<std::vector<std::int64_t>>(),
                               m.at(3).get<std::vector<std::int64_t>>(),
                               m.at(4).get<std::vector<std::int64_t>>(), m.at(5), m.at(6), m.at(7),
                               m.at(8)});
  for (const auto& l : value.at("launches")) {
    core::ResolvedLaunch launch{l.at(0), l.at(1), l.at(2), l.at(3), l.at(4), l.at(5), l.at(6), {}};
    for (const auto& arg : l.at(7)) launch.args.push_back(arg_from(arg));
    plan.launches.push_back(std::move(launch));
  }
  return plan;
}

json to_json(const device::BuildRequest& request) {
  return {{"language", static_cast<int>(request.language)},
          {"device", request.device_id},
          {"arch", request.arch},
          {"name", request.name},
          {"defines", request.defines},
          {"line_info", request.line_info},
          {"disturb", request.disturb}};
}

device::BuildRequest build_request_from(const json& value) {
  device::BuildRequest request;
  request.language = static_cast<core::Language>(value.at("language").get<int>());
  request.device_id = value.at("device");
  request.arch = value.at("arch");
  request.name = value.at("name");
  request.defines = value.at("defines").get<std::vector<std::pair<std::string, std::string>>>();
  request.line_info = value.at("line_info");
  request.disturb = value.at("disturb");
  return request;
}

json to_json(const device::KernelInfo& kernel) {
  json parameters = json::array();
  for (const auto& p : kernel.parameters)
    parameters.push_back({static_cast<int>(p.kind), p.bytes, p.type, p.name});
  return {{"name", kernel.name},
          {"parameters", parameters},
          {"registers", kernel.registers},
          {"local", kernel.local_bytes},
          {"shared", kernel.shared_bytes},
          {"constant", kernel.constant_bytes},
          {"max_threads", kernel.max_threads}};
}

device::KernelInfo kernel_from(const json& value) {
  device::KernelInfo kernel;
  kernel.name = value.at("name");
  for (const auto& p : value.at("parameters"))
    kernel.parameters.push_back({static_cast<device::KernelParameter::Kind>(p.at(0).get<int>()),
                                 p.at(1), p.at(2), p.at(3)});
  kernel.registers = value.at("registers");
  kernel.local_bytes = value.at("local");
  kernel.shared_bytes = value.at("shared");
  kernel.constant_bytes = value.at("constant");
  kernel.max_threads = value.at("max_threads");
  return kernel;
}

json to_json(const std::vector<device::Activity>& activities) {
  json list = json::array();
  for (const auto& a : activities)
    list.push_back(
        {static_cast<int>(a.kind), a.start, a.end, a.launch, a.stream, valid_utf8(a.name)});
  return list;
}

std::vector<device::Activity> activities_from(const json& value) {
  std::vector<device::Activity> activities;
  for (const auto& a : value) {
    const int kind = a.at(0);
    if (kind < 0 || kind > static_cast<int>(device::Activity::Kind::sync)) continue;
    activities.push_back({static_cast<device::Activity::Kind>(kind), a.at(1), a.at(2), a.at(3),
                          a.at(4), a.at(5).get<std::string>()});
  }
  return activities;
}

json to_json(const device::CallReport& report) {
  return {{"ok", report.ok},
          {"error", valid_utf8(report.error)},
          {"device", report.device_seconds},
          {"wall", report.wall_seconds}};
}

device::CallReport report_from(const json& value) {
  return {value.at("ok"), value.at("error"), value.at("device"), value.at("wall")};
}

std::string valid_utf8(std::string_view text) {
  const std::string quoted =
      json(std::string(text)).dump(-1, ' ', false, json::error_handler_t::replace);
  return json::parse(quoted).get<std::string>();
}

}  // namespace hone::runner
