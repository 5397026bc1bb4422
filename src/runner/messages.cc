#include "runner/messages.h"

#include <cmath>

#include "base/json.h"

namespace hone::runner {

using base::Fields;
using core::ResolvedArg;

namespace {

// An enumeration as its number.
template <typename Enum>
auto number_of(Fields& f, Enum& value) {
  return [&](Fields&) {
    int number = static_cast<int>(value);
    f.value(number);
    if (f.reading()) value = static_cast<Enum>(number);
  };
}

auto name_in(Fields& f, core::DType& dtype) {
  return [&](Fields&) { f.word(dtype, "type", core::DType::u8); };
}

std::uint64_t packed(const std::array<unsigned char, 8>& bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bits |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
  return bits;
}

void describe_arg(Fields& f, ResolvedArg& arg) {
  const auto more = [&](Fields&) {  // for operations only
    f("dims", arg.dims)("transposed", arg.transposed);
    f.list("items", arg.items, [&](ResolvedArg& item) { describe_arg(f, item); });
    f("word", arg.word);
  };
  const bool has_more =
      !arg.dims.empty() || arg.transposed || !arg.items.empty() || !arg.word.empty();
  std::uint64_t bits = packed(arg.bits);
  f.row(number_of(f, arg.kind), arg.index, arg.integer, name_in(f, arg.dtype), bits, arg.text,
        has_more ? &more : nullptr);
  if (f.reading())
    for (std::size_t i = 0; i < arg.bits.size(); ++i)
      arg.bits[i] = static_cast<unsigned char>(bits >> (8 * i));
}

void describe_launch(Fields& f, core::ResolvedLaunch& launch) {
  const auto operation = [&](Fields&) {
    f.group("words", [&] {
      for (auto& [name, arg] : launch.words)
        f(name, [&, &arg = arg](Fields&) { describe_arg(f, arg); });
    });
    f("outs", launch.out)("tf32", launch.tf32);
  };
  const auto args = [&](Fields&) {
    f.items(launch.args, [&](ResolvedArg& arg) { describe_arg(f, arg); });
  };
  f.row(launch.kernel, launch.plan_index, launch.grid, launch.block, launch.cluster, launch.shared,
        launch.cooperative, args, launch.is_operation ? &operation : nullptr);
}

void describe_plan(Fields& f, core::ResolvedPlan& plan) {
  f.list("buffers", plan.buffers, [&](core::ResolvedBuffer& b) {
    f.row(b.name, number_of(f, b.role), name_in(f, b.dtype), b.dims, b.bytes);
  });
  f.list("maps", plan.tensormaps, [&](core::ResolvedTensorMap& m) {
    f.row(m.name, m.buffer, m.dims, m.box, m.element_strides, m.swizzle, m.interleave, m.l2,
          m.fill_nan);
  });
  f.list("launches", plan.launches,
         [&](core::ResolvedLaunch& launch) { describe_launch(f, launch); });
  f("call", std::as_const(plan.call));
}

void describe_kernel(Fields& f, device::KernelInfo& kernel) {
  f("name", kernel.name);
  f.list("parameters", kernel.parameters,
         [&](device::KernelParameter& p) { f.row(number_of(f, p.kind), p.bytes, p.type, p.name); });
  f("registers", kernel.registers)("local", kernel.local_bytes)("shared", kernel.shared_bytes);
  f("constant", kernel.constant_bytes)("max_threads", kernel.max_threads);
}

void describe_loaded(Fields& f, Loaded& loaded) {
  f.list("kernels", loaded.kernels, [&](device::KernelInfo& one) { describe_kernel(f, one); });
  f.sparse("notes", loaded.notes);
}

void describe_report(Fields& f, device::CallReport& report) {
  f("ok", report.ok)("error", report.error);
  f.finite("device", report.device_seconds);
  f.finite("wall", report.wall_seconds);
}

void describe_activity(Fields& f, device::Activity& a) {
  f.row(number_of(f, a.kind), a.start, a.end, a.launch, a.stream, a.name);
  if (!std::isfinite(a.start) || !std::isfinite(a.end))
    base::fail(base::ExitCode::bad_input, "an activity has no time");
}

// A text where there is one; "?" for anything else.
std::optional<std::string> text_in(const base::RawJson& field) {
  if (field.text.empty()) return std::nullopt;
  const auto text = base::from_json<std::string>(field.text);
  return text ? *text : "?";
}

std::string written(const base::Description& description) {
  return base::write_json(description, base::in_one_line);
}

}  // namespace

// ---- orders

void describe(Fields&, GoOrder&) {}
void describe(Fields&, DropOrder&) {}
void describe(Fields&, PlanOrder&) {}
void describe(Fields&, ActivitiesOrder&) {}
void describe(Fields& f, LoadOrder& order) { f("kernels", order.kernels); }
void describe(Fields& f, BlockOrder& order) { f("bytes", order.bytes); }
void describe(Fields& f, InspectOrder& order) { f("words", order.words); }
void describe(Fields& f, CompileReferenceOrder& order) { f("real", order.real); }

void describe(Fields& f, OpenOrder& order) {
  f("device", order.device);
  f.sparse("cpu", order.cpu).sparse("threads", order.threads);
}

void describe(Fields& f, PrepareRequest& order) {
  // A batch is usually the same set many times: it is sent once with a count, since packets are
  // small.
  auto sets = order.sets;
  std::size_t times = 1;
  if (std::adjacent_find(sets.begin(), sets.end(), std::not_equal_to<>()) == sets.end()) {
    times = sets.size();
    sets.resize(std::min<std::size_t>(1, times));
  }
  f("plan", order.plan);
  f.list("sets", sets, [&](device::BindingSet& set) {
    f.items(set, [&](device::BufferBinding& one) { f.row(one.block, one.offset); });
  });
  f("times", times)("fresh", order.fresh_addresses)("flush", order.flush);
  f("private", order.private_memory)("skip", order.skip_launch)("marked", order.marked);
  f("record", order.record)("one_by_one", order.one_by_one);
  if (!f.reading()) return;
  if (sets.size() == 1) sets.resize(times, device::BindingSet(sets.front()));
  order.sets = std::move(sets);
}

void describe(Fields& f, BuildOrder& order) {
  device::BuildRequest& request = order.request;
  f.group("request", [&] {
    auto language = number_of(f, request.language);
    f("language", language)("device", request.device_id)("arch", request.arch);
    f("name", request.name)("defines", request.defines)("line_info", request.line_info);
    f("disturb", request.disturb);
  });
}

void describe(Fields& f, PlacedTensor& tensor) {
  f.row(tensor.name, tensor.dtype, tensor.elements, tensor.offset);
}

void describe(Fields& f, ScalarValue& scalar) {
  f.row(scalar.name, scalar.is_integer, scalar.integer, scalar.number);
}

void describe(Fields& f, ReferenceOrder& order) {
  f("inputs", order.inputs)("outputs", order.outputs)("sizes", order.sizes)("bytes", order.bytes);
  f("scalars", order.scalars);
  f.sparse("precision", order.precision);
}

void describe(Fields& f, PythonOrder& order) {
  f("program", order.program)("script", order.script)("words", order.words);
}

void describe(Fields& f, Order& order) {
  f.choice("op", order, "order",
           {"go", "prepare", "open", "load", "block", "drop", "plan", "activities", "build",
            "inspect", "reference", "python", "compile_reference"});
}

std::string to_text(const Order& order) { return base::json_line(order); }

Order order_from(const std::string& text) {
  Order order;
  base::read_json(text, base::description_of(order));
  return order;
}

// ---- answers

std::optional<AnswerHead> head_of(const std::string& answer) {
  AnswerHead head;
  base::RawJson broken{""}, error{""}, ok{""}, wrong{""};
  try {
    base::read_json(answer, [&](Fields& f) {
      f.optional("broken", broken).optional("error", error).optional("ok", ok);
      f.optional("wrong", wrong);
      f.lenient("id", head.id);
    });
  } catch (const base::Error&) {
    return std::nullopt;
  }
  head.broken = text_in(broken);
  head.error = text_in(error);
  head.ok = !ok.text.empty();
  head.wrong = !wrong.text.empty();
  return head;
}

std::string to_text(core::ResolvedPlan plan) {
  return written([&](Fields& f) { describe_plan(f, plan); });
}

core::ResolvedPlan plan_from(const std::string& text) {
  core::ResolvedPlan plan;
  base::read_json(text, [&](Fields& f) { describe_plan(f, plan); });
  return plan;
}

std::string to_text(const std::vector<device::KernelInfo>& kernels) {
  Loaded loaded{kernels, {}};
  return written([&](Fields& f) { describe_loaded(f, loaded); });
}

Loaded loaded_from(const std::string& answer) {
  Loaded loaded;
  base::read_json(answer, [&](Fields& f) { describe_loaded(f, loaded); });
  return loaded;
}

std::string to_text(std::vector<device::Activity> activities) {
  return written([&](Fields& f) {
    f.items(activities, [&](device::Activity& a) { describe_activity(f, a); });
  });
}

std::vector<device::Activity> activities_from(const std::string& text) {
  std::vector<device::Activity> activities;
  base::read_json(text, [&](Fields& f) {
    f.items(activities, [&](device::Activity& a) { describe_activity(f, a); });
  });
  std::erase_if(activities, [](const device::Activity& a) {
    return a.kind > device::Activity::Kind::sync;  // of another version
  });
  return activities;
}

std::string to_text(device::CallReport report) {
  return written([&](Fields& f) { describe_report(f, report); });
}

device::CallReport report_from(const std::string& answer) {
  device::CallReport report;
  base::read_json(answer, [&](Fields& f) { describe_report(f, report); });
  return report;
}

std::string answer_with(const char* name, const std::string& text) {
  return written([&](Fields& f) { f(name, text); });
}

}  // namespace hone::runner
