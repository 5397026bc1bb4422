#pragma once
// A task as loaded and checked: what is to be computed, on which sizes, how exactly, and the code
// that says what is right. Plain data; loading and complaining is the task module's work.
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/expr.h"
#include "core/dtype.h"

namespace hone::core {

// problem: by the reference.py itself (its get_inputs under a secret seed), for what has a
// structure.
// ends: where consecutive ranges of items end, as a routing or ragged batch has them.
enum class DrawKind : std::uint8_t { normal, uniform, integers, ends, problem };
enum class Variant : std::uint8_t { plain, shifted, flipped, heavy, large };  // see docs/formats.md

struct Draw {
  DrawKind kind = DrawKind::normal;
  double a = 0, b = 1;                        // mean and deviation, or low and high
  base::Expr low = 0, high = 0;               // integers only
  base::Expr total = 0, skew = 0, empty = 0;  // ends only, see docs/formats.md
  std::string why;                            // problem only: the structure, in words
  bool independent =
      false;  // problem only: element by element, so that single ones can be another draw's
};

struct Input {
  std::string name;
  DType dtype = DType::f32;
  std::vector<base::Expr> shape;
  Draw draw;
  std::vector<Variant> variants;  // besides plain
};

struct Tolerance {
  double max = 0, rms = 0;
};

struct Output {
  std::string name;
  DType dtype = DType::f32;
  std::vector<base::Expr> shape;
  Tolerance tolerance;
};

struct Scalar {
  std::string name;
  DType dtype = DType::f32;
  double value = 0;                      // floating-point types
  std::optional<base::Expr> expression;  // integer types
};

struct Case {
  std::string name;
  base::Bindings bindings;
  bool timed = true;
  std::string device;             // "", "cpu", "gpu", "cuda" or "opencl"
  bool device_reference = false;  // expected values from reference.cu or reference.cl
};

// Arithmetic is counted by kind because a device has a different ceiling for each.
struct Work {
  base::Expr bytes = 0;
  std::map<std::string, base::Expr> flops;  // "f64" "f32" "tf32" "f16" "bf16" "i8"
  std::vector<std::string> uncounted;       // operators that are missing in flops
};

// What a task for an evaluator outside Hone has instead of tensors, work and references; its cases
// are names only. See docs/models.md.
struct External {
  std::string statement;               // what the models are told, whole
  std::string language;                // in words: "C", "Triton"
  std::string extension;               // of candidates' files, without the dot
  std::vector<std::string> knowledge;  // words for the cards that fit its hardware: "gpu", "gfx942"
  struct Seed {
    std::string name, source;
  };
  std::vector<Seed> seeds;
};

// What a problem has that brings a check of its own for results, beside the reference.
struct OwnCheck {
  std::string name;  // of the benchmark, as metric tags have it: its score is "NAME.score.RANKING"
  std::string problem;  // the problem's files and cases as JSON text, as the oracle reads it
  bool unique = true;   // there is one right answer; otherwise only the problem's own check decides
  bool in_double =
      true;             // expected values are the reference's in double precision, and not as it is
  std::string ranking;  // of its official evaluator: "last", "mean", "geom"
  double seconds = 180;  // that the oracle may take to describe it
  std::vector<std::string> notes;
};

// A reference that is a function of torch or NumPy: one in reference.py that takes the task's
// tensors and numbers and gives its outputs.
struct FunctionReference {
  std::string function;  // its name
  std::string
      inputs;  // a function beside it that draws example inputs, given symbols of a case; "": none
  bool numpy = false;     // it takes and gives NumPy's arrays
  bool in_double = true;  // expected values are its results in double precision, and not as it is
  bool any_precision =
      false;  // candidates may compute in any precision whose results are within the tolerance
  double seconds = 120;  // that a call may take
};

struct Task {
  std::string name, summary;
  std::filesystem::path folder;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::vector<Scalar> scalars;
  std::vector<Case> cases;
  Work work;
  std::string reference_cc;                   // its text; the C++ in double precision
  std::optional<std::string> reference_py;    // instead of it: a torch module, or with `function`
  std::optional<FunctionReference> function;  // what of reference_py is the reference
  std::string reference_form;            // of reference_py, as the oracle is told: resources/python
  std::string benchmark;                 // where it is from, as users read it; "": nowhere known
  std::optional<std::string> interface;  // how a candidate in Python is called, as JSON
  std::optional<std::string> reference_cu, reference_cl;  // trusted device kernels, where given
  std::optional<std::string> seed_cu, seed_cl, seed_py;
  std::optional<OwnCheck> own_check;
  std::optional<External> external;
  std::vector<std::string>
      weak;  // what its benchmark's own evaluator would take for right, in sentences
  std::string wanted_class;  // "fp32", "tf32" or "protocol": no other is accepted; "": each in its
                             // own class
  std::string hash;          // over everything that decides a verdict: task.toml and the references
};

// A tensor with its shape worked out for one case.
struct TensorShape {
  std::vector<std::int64_t> dims;
  std::int64_t elements = 0;
};
// The failure text names the expression and why it has no value.
base::Result<TensorShape> shape_of(const std::vector<base::Expr>& shape,
                                   const base::Bindings& bindings);

}  // namespace hone::core
