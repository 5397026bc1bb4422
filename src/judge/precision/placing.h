#pragma once
// Which classes of precision a candidate for a torch problem is in. Every call counts, timed or
// not, but for those on variants: its errors are compared with those that torch makes on the very
// same inputs. Pure, but for the tally that a case's ResultChecker owns.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "judge/truth.h"
#include "task/kernelbench_task.h"

namespace hone::judge {

struct Entry;

// How much worse than eager's an error may be. Both are random: the order of sums alone moves them,
// the largest of many more than their rms.
struct ErrorSlack {
  double rms = 1, max = 1;
};
constexpr ErrorSlack slack_of_all{1.1, 2};  // over all calls together
constexpr ErrorSlack slack_of_one_call{
    1.5, 4};  // of any one of them: few elements, or few large ones, move it more
// What is below a unit in the last place of single precision is as good as none.
bool no_worse(const ErrorPair& error, const ErrorPair& eager, const ErrorSlack& slack);

struct Placing {
  bool fp32 = true, tf32 = true;
};

class ClassTally {
 public:
  // One call on an input that is no variant. `refused`: elements that the benchmark's own check
  // would refuse, where the input is a draw of the problem's own.
  void add(const std::vector<ErrorPair>& errors, const Entry& entry, std::int64_t refused);
  std::int64_t calls() const { return calls_; }
  Placing placed() const;
  std::int64_t refused() const { return refused_; }
  // The worst over outputs and calls: the candidate's, and eager's on the same inputs.
  ErrorPair candidate() const { return worst(&OutputErrors::candidate); }
  ErrorPair fp32() const { return worst(&OutputErrors::fp32); }
  ErrorPair tf32() const { return worst(&OutputErrors::tf32); }

 private:
  struct OutputErrors {
    ErrorPair candidate, fp32, tf32;  // the largest, and the sum of squares of the rms of each call
  };
  ErrorPair worst(ErrorPair OutputErrors::*of) const;
  std::vector<OutputErrors> outputs_;
  std::int64_t calls_ = 0, refused_ = 0;
  Placing by_call_;  // whether no single call was far worse
};

// Behind what would pass without computing ("zeros pass") and the benchmark's name, in the label
// that says so.
constexpr std::string_view proves_little = "'s own check, which proves little on this problem";
// The same with the name, for code that reads stored evaluations and has no task.
inline const std::string own_check = fmt::format(" {}{}", task::kernelbench_name, proves_little);

// The tolerance of the benchmark's own check for fp32, relative and absolute.
constexpr double official_tolerance = 1e-4;

}  // namespace hone::judge
