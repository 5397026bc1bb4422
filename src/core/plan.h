#pragma once
// A candidate's launch plan: as written (expressions), and resolved for one case, one point of its
// tune space and one device (numbers).
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "base/expr.h"
#include "core/dtype.h"
#include "core/task.h"

namespace hone::core {

// Where an expression or name stood in the source, so that a later complaint can point at it.
struct PlanExpr {
  base::Expr expr;
  base::Position at;
};

struct Tunable {
  std::string name;
  std::vector<std::int64_t> values;
  std::int64_t chosen = 0;  // the default
  base::Position at;
};

struct Scratch {
  std::string name;
  DType dtype = DType::f32;
  std::vector<PlanExpr> shape;
  base::Position at;
};

struct TensorMap {
  std::string name, tensor;
  std::vector<PlanExpr> shape;  // empty: the tensor's own
  std::vector<PlanExpr> box, element_strides;
  int swizzle = 0, interleave = 0, l2 = 0;  // bytes; 0: none
  bool fill_nan = false;
  base::Position at;
};

struct BufferArg {
  std::string name;  // input, output or scratch
  std::vector<PlanExpr>
      shape;  // of an operation's argument: another shape over the same elements; empty: its own
  bool transposed = false;  // likewise: the last two dimensions exchanged
};
struct TensorMapArg {
  std::string name;
};
struct ScalarArg {
  std::string name;
};  // a scalar of the task
struct IntegerArg {
  base::Expr expr;
};  // as wide as the kernel declares
struct TypedFloatArg {
  DType dtype;
  double value;
};
struct TypedIntegerArg {
  DType dtype;
  base::Expr expr;
};
struct LocalArg {
  base::Expr bytes;
};
// Of library operations only.
struct NoneArg {};
struct BoolArg {
  bool value;
};
struct TextArg {
  std::string value;
};
struct Arg;
struct ListArg {
  std::vector<Arg> items;
};
struct Arg {
  std::variant<BufferArg, TensorMapArg, ScalarArg, IntegerArg, TypedFloatArg, TypedIntegerArg,
               LocalArg, NoneArg, BoolArg, TextArg, ListArg>
      value;
  base::Position at;
  std::string text;  // as written
};

struct Launch {
  std::string kernel;         // or the operation, "aten.mm"
  bool is_operation = false;  // of a library, called by trusted host code
  base::Position at;
  std::optional<PlanExpr> when, repeat;
  std::vector<PlanExpr> grid, block, cluster;
  std::optional<PlanExpr> shared;
  bool cooperative = false;
  std::vector<Arg> args;
  // Of an operation: arguments by name, buffers that its results go to, and whether products may be
  // rounded to TF32.
  std::map<std::string, Arg> words;
  std::vector<std::string> out;
  bool tf32 = false;
};

struct Plan {
  int version = 1;
  std::vector<PlanExpr> where;
  std::vector<Tunable> tunables;
  std::vector<Scratch> scratch;
  std::vector<TensorMap> tensormaps;
  std::vector<Launch> launches;
};
bool has_operations(const Plan& plan);
std::vector<std::string> kernel_names(const Plan& plan);  // each once, without operations

// A point of the tune space: the value of every tunable.
using Point = std::map<std::string, std::int64_t>;
Point default_point(const Plan& plan);

// ---- resolved

using Dim3 = std::array<std::int64_t, 3>;

struct ResolvedBuffer {
  enum class Role : std::uint8_t { input, output, scratch };
  std::string name;
  Role role = Role::input;
  DType dtype = DType::f32;
  std::vector<std::int64_t> dims;
  std::uint64_t bytes = 0;
};

struct ResolvedTensorMap {
  std::string name;
  int buffer = 0;                                        // index into ResolvedPlan::buffers
  std::vector<std::int64_t> dims, box, element_strides;  // row-major order, as written
  int swizzle = 0, interleave = 0, l2 = 0;
  bool fill_nan = false;
};

struct ResolvedArg {
  enum class Kind : std::uint8_t {
    buffer,
    tensormap,
    integer,
    scalar,
    local,
    none,
    boolean,
    text,
    list
  };
  Kind kind = Kind::integer;
  int index = 0;                        // buffer or tensor map
  std::int64_t integer = 0;             // integer; also local: bytes; boolean: 0 or 1
  DType dtype = DType::i64;             // scalar: its type
  std::array<unsigned char, 8> bits{};  // scalar: its bytes
  std::string text;                     // as written, for messages
  // Of operations only: another shape of a buffer and whether it is transposed, the items of a
  // list, a text's own words.
  std::vector<std::int64_t> dims;
  bool transposed = false;
  std::vector<ResolvedArg> items;
  std::string word;
};

struct ResolvedLaunch {
  std::string kernel;
  int plan_index = 0;                                    // which [[launch]] it came from
  Dim3 grid{1, 1, 1}, block{1, 1, 1}, cluster{0, 0, 0};  // cluster 0: none
  std::int64_t shared = 0;
  bool cooperative = false;
  std::vector<ResolvedArg> args;
  bool is_operation = false;
  std::map<std::string, ResolvedArg> words;
  std::vector<int> out;  // buffers
  bool tf32 = false;
};

struct ResolvedPlan {
  std::vector<ResolvedBuffer> buffers;  // inputs, then outputs, then scratch
  std::vector<ResolvedTensorMap> tensormaps;
  std::vector<ResolvedLaunch> launches;  // `when` and `repeat` worked out
  std::string call;  // for a Python worker instead of launches: what it calls with, as JSON
};

// The symbols every plan may use besides the task's: facts of the device.
base::Bindings device_symbols(std::int64_t sm_count, std::int64_t warp_size,
                              std::int64_t shared_per_block, std::int64_t l2_bytes,
                              std::int64_t max_threads);
extern const std::vector<std::string> device_symbol_names;

// Numbers for one case. Failures (overflow, an empty grid, no launch left) are diagnostics that
// point into the source. `real_outputs` replaces the dtype of floating-point outputs (and makes
// integer ones i64): that is how references are run.
base::Result<ResolvedPlan, base::Diagnostic> resolve(
    const Plan& plan, const Task& task, const Case& which, const Point& point,
    const base::Bindings& device, std::optional<DType> real_outputs = std::nullopt);
// The first `where` that the point does not satisfy; null: it satisfies all.
base::Result<const PlanExpr*, base::Diagnostic> unmet_condition(const Plan& plan,
                                                                const Point& point,
                                                                const base::Bindings& device);
// Whether there is none.
base::Result<bool, base::Diagnostic> admits(const Plan& plan, const Point& point,
                                            const base::Bindings& device);

}  // namespace hone::core
