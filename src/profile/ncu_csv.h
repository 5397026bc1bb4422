#pragma once
// Nsight Compute's CSV as values. Columns are found by their names, units brought to seconds,
// bytes, hertz and fractions; what is not a number is not there. The text may be of another
// version, cut off, or an error message: what does not parse is passed over. Pure functions.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::profile {

// One line of CSV as its fields, quotes taken off.
std::vector<std::string> csv_fields(std::string_view line);

// A number with its unit, in base units: "1,056" "ns" is 1.056e-6, "45.7" "%" is 0.457. Nothing for
// "n/a", "nan", "".
std::optional<double> ncu_value(std::string_view text, std::string_view unit);

// One profiled launch of a kernel, from --page raw.
struct NcuLaunch {
  std::string kernel;
  std::map<std::string, double> values;  // by the metric's own name
};
std::vector<NcuLaunch> parse_ncu_raw(std::string_view text);

// One instruction of a kernel, from --page source --print-source sass.
struct NcuInstruction {
  std::uint64_t offset = 0;  // in its kernel
  std::string code;
  double samples = 0, executed = 0;      // by warps
  std::map<std::string, double> stalls;  // samples by reason, as in the tags (profile/tags.h)
  // sectors that global accesses touch and would touch at best; wavefronts of shared memory,
  // likewise
  std::optional<double> sectors, sectors_ideal, wavefronts, wavefronts_ideal;
};
struct NcuListing {  // of one profiled launch
  std::string kernel;
  std::vector<NcuInstruction> code;
};
std::vector<NcuListing> parse_ncu_source(std::string_view text);

// Why there are no numbers, from ncu's own messages (==ERROR== lines and the like), with how to
// fix it; "" if it does not say.
std::string ncu_problem(std::string_view log);

}  // namespace hone::profile
