#pragma once
// What the judge and its workers say to each other, as structs: orders go to a worker, and each has
// one answer. On the wire they are JSON; resources/python speaks it too. What comes back from a
// worker may be hostile: where a field is missing or wrong, reading it throws Error. Pure.
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/fields_fwd.h"
#include "core/plan.h"
#include "device/device.h"

namespace hone::runner {

// ---- orders

struct OpenOrder {
  std::string device;
  std::optional<bool> cpu;  // of Python workers, and the threads that it may use
  std::optional<unsigned> threads;
};
struct LoadOrder {  // descriptor: the image
  std::vector<std::string> kernels;
};
struct BlockOrder {  // descriptor: the memory
  std::uint64_t bytes = 0;
};
struct DropOrder {};
struct PlanOrder {};     // descriptor: the plan
struct PrepareRequest {  // see device::CallRequest
  int plan = 0;
  std::vector<device::BindingSet> sets;
  bool fresh_addresses = true, flush = true, private_memory = false;
  int skip_launch = -1;
  std::vector<int> marked;
  bool record = false, one_by_one = false;
};
struct GoOrder {};
struct ActivitiesOrder {};
struct BuildOrder {  // descriptor: the source
  device::BuildRequest request;
};
struct InspectOrder {  // descriptor: the contents
  std::vector<std::string> words;
};
// A tensor's place in the memory that is shared with a reference.
struct PlacedTensor {
  std::string name, dtype;
  std::int64_t elements = 0;
  std::uint64_t offset = 0;
};
// A scalar of a task in one case, as kernels get it.
struct ScalarValue {
  std::string name;
  bool is_integer = false;
  std::int64_t integer = 0;
  double number = 0;
};
struct ReferenceOrder {  // descriptors: the memory and, in the first call only, the shared object
  std::vector<PlacedTensor> inputs, outputs;
  base::Bindings sizes;
  std::uint64_t bytes = 0;
  std::vector<ScalarValue> scalars;
  std::string precision;  // of torch modules
};
struct PythonOrder {  // descriptor: the scripts; the worker becomes this interpreter
  std::string program, script;
  std::vector<std::string> words;
};
struct CompileReferenceOrder {  // descriptors: the source, the two headers
  std::string real;
};
using Order = std::variant<GoOrder, PrepareRequest, OpenOrder, LoadOrder, BlockOrder, DropOrder,
                           PlanOrder, ActivitiesOrder, BuildOrder, InspectOrder, ReferenceOrder,
                           PythonOrder, CompileReferenceOrder>;

std::string to_text(const Order& order);
Order order_from(const std::string& text);
inline constexpr const char* go_text = R"({"op":"go"})";

void describe(base::Fields& fields, PlacedTensor& tensor);
void describe(base::Fields& fields, ScalarValue& scalar);

// ---- answers, and what travels as memory files

// What any answer may have. A hostile worker may leave it out or write something else there.
struct AnswerHead {
  std::optional<std::string> broken, error;  // "?": something else
  bool ok = false, wrong = false;            // it has such a field
  int id = -1;
};
// Nothing: it is no JSON object.
std::optional<AnswerHead> head_of(const std::string& answer);

std::string to_text(core::ResolvedPlan plan);
core::ResolvedPlan plan_from(
    const std::string& text);  // without operations, which only Python workers run
std::string to_text(const std::vector<device::KernelInfo>& kernels);
struct Loaded {
  std::vector<device::KernelInfo> kernels;
  std::vector<std::string> notes;  // of Python workers
};
Loaded loaded_from(const std::string& answer);
std::string to_text(std::vector<device::Activity> activities);
std::vector<device::Activity> activities_from(const std::string& text);
std::string to_text(device::CallReport report);
device::CallReport report_from(const std::string& answer);

// {"broken": text}, and likewise.
std::string answer_with(const char* name, const std::string& text);
inline std::string broken(const std::string& text) { return answer_with("broken", text); }
inline std::string error_answer(const std::string& text) { return answer_with("error", text); }
inline constexpr const char* ok_answer = R"({"ok":true})";

}  // namespace hone::runner
