#pragma once
// The loops of an OpenCL source, found without a compiler; the source with marks, which say after a
// call which loops it entered; and the source with a trap in some of them, from which a compiler
// makes code without those. Pure.
#include <string>
#include <string_view>
#include <vector>

namespace hone::profile {

struct SourceLoop {
  int line = 0;  // of its `for` or `while`
  std::size_t begin = 0,
              end = 0;  // of its body: behind the `{` or before a single statement, and its end
  bool has_braces = false;
  bool holds(const SourceLoop& other) const { return other.begin > begin && other.end <= end; }
};
// In the order they stand; those written in macros are not among them.
std::vector<SourceLoop> source_loops(std::string_view source);
// No line is added or moved.
// The source in which each kernel has one more parameter, a buffer of integers, and each loop in a
// kernel says there that its body was entered. `names`: of the kernels. Loops elsewhere cannot, and
// stay as they are.
struct MarkedSource {
  std::string text;
  std::vector<SourceLoop> loops;  // those that have a mark, by its number
};
inline constexpr int first_mark =
    0x484f4e45;  // the mark of loop i is this and i, at place i: nothing that is there by chance
MarkedSource with_marks(const std::string& source, const std::vector<std::string>& names);
std::string with_traps(const std::string& source, const std::vector<SourceLoop>& loops);

}  // namespace hone::profile
