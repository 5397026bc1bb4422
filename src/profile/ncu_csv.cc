#include "profile/ncu_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "profile/trimmed.h"

namespace hone::profile {
namespace {

constexpr double hundredth = 0.01;

template <typename Visit>
void each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// ---- units

struct Unit {
  std::string_view name;
  double scale;
};
// As they appear in versions from 2020 on, with and without --print-units base. ncu's prefixes are
// powers of 1000.
constexpr std::array units = {
    Unit{"%", hundredth}, Unit{"s", 1},          Unit{"second", 1}, Unit{"sec", 1},
    Unit{"ns", 1e-9},     Unit{"nsecond", 1e-9}, Unit{"us", 1e-6},  Unit{"usecond", 1e-6},
    Unit{"ms", 1e-3},     Unit{"msecond", 1e-3}, Unit{"hz", 1},     Unit{"Hz", 1},
    Unit{"byte", 1},      Unit{"B", 1},
};
constexpr std::array prefixes = {Unit{"K", 1e3}, Unit{"k", 1e3}, Unit{"M", 1e6}, Unit{"G", 1e9},
                                 Unit{"T", 1e12}};
// Counted things, which may carry a prefix; "warp" must not be taken for anything else.
constexpr std::string_view counted_units[] = {"hz",     "Hz",      "byte",    "B",    "inst",
                                              "sector", "sectors", "request", "warp", "block",
                                              "cycle",  "thread",  "branches"};

double scale_of_word(std::string_view word) {
  for (const auto& unit : units)
    if (unit.name == word) return unit.scale;
  for (const auto& prefix : prefixes)
    if (word.starts_with(prefix.name) &&
        std::find(std::begin(counted_units), std::end(counted_units), word.substr(1)) !=
            std::end(counted_units))
      return prefix.scale;
  return 1;
}

double scale_of(std::string_view unit) {
  const auto slash = unit.find('/');
  if (slash == std::string_view::npos) return scale_of_word(unit);
  return scale_of_word(unit.substr(0, slash)) / scale_of_word(unit.substr(slash + 1));
}

// ---- tables

// A row of names and where each column stands. The first of two columns with one name counts.
class Columns {
 public:
  Columns() = default;
  explicit Columns(const std::vector<std::string>& names) : names_(names) {
    for (std::size_t i = 0; i < names.size(); ++i) places_.emplace(names[i], i);
  }
  bool empty() const { return names_.empty(); }
  const std::vector<std::string>& names() const { return names_; }
  std::string in(const std::vector<std::string>& row, const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() || found->second >= row.size() ? "" : row[found->second];
  }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> places_;
};

std::optional<std::uint64_t> address(std::string_view text) {
  text = trimmed(text);
  const int base = text.starts_with("0x") || text.starts_with("0X") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// Columns of the source page to the reasons of the tags.
constexpr std::pair<std::string_view, std::string_view> stall_columns[] = {
    {"stall_barrier", "barrier"},
    {"stall_branch_resolving", "branch_resolving"},
    {"stall_dispatch", "dispatch"},
    {"stall_drain", "drain"},
    {"stall_gmma", "gmma"},
    {"stall_warpgroup_arrive", "gmma"},
    {"stall_imc", "imc_miss"},
    {"stall_lg", "lg_throttle"},
    {"stall_long_sb", "long_scoreboard"},
    {"stall_math", "math_pipe_throttle"},
    {"stall_membar", "membar"},
    {"stall_mio", "mio_throttle"},
    {"stall_misc", "misc"},
    {"stall_no_inst", "no_instruction"},
    {"stall_not_selected", "not_selected"},
    {"stall_selected", "selected"},
    {"stall_short_sb", "short_scoreboard"},
    {"stall_sleep", "sleeping"},
    {"stall_sleeping", "sleeping"},
    {"stall_tex", "tex_throttle"},
    {"stall_wait", "wait"},
};

NcuInstruction instruction_from(const Columns& columns, const std::vector<std::string>& row,
                                std::uint64_t offset) {
  const auto number = [&](const char* name) { return ncu_value(columns.in(row, name), ""); };
  NcuInstruction read;
  read.offset = offset;
  read.code = trimmed(columns.in(row, "Source"));
  read.executed = number("Instructions Executed").value_or(0);
  double known = 0;
  for (const auto& [column, reason] : stall_columns)
    if (const auto count = ncu_value(columns.in(row, std::string(column)), "");
        count && *count > 0) {
      read.stalls[std::string(reason)] += *count;
      known += *count;
    }
  read.samples =
      number("# Samples").value_or(number("Warp Stall Sampling (All Samples)").value_or(known));
  // The page has no column for waits of the tensor cores' own (wgmma); those samples are what the
  // others leave.
  if (read.samples > known) read.stalls["gmma"] += read.samples - known;
  read.sectors = number("L2 Theoretical Sectors Global");
  read.sectors_ideal = number("L2 Theoretical Sectors Global Ideal");
  read.wavefronts = number("L1 Wavefronts Shared");
  read.wavefronts_ideal = number("L1 Wavefronts Shared Ideal");
  return read;
}

}  // namespace

std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields;
  std::string field;
  bool quoted = false;
  line = trimmed(line);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    // A quote inside a quoted field is either doubled or, in some pages of ncu's, not marked at
    // all: only one before a comma or the end closes the field.
    if (quoted && c == '"') {
      if (i + 1 < line.size() && line[i + 1] == '"' && i + 2 < line.size() && line[i + 2] != ',') {
        field += '"';
        ++i;
      } else if (i + 1 == line.size() || line[i + 1] == ',') {
        quoted = false;
      } else {
        field += '"';
      }
    } else if (!quoted && c == '"' && field.empty()) {
      quoted = true;
    } else if (!quoted && c == ',') {
      fields.push_back(std::move(field));
      field.clear();
    } else {
      field += c;
    }
  }
  fields.push_back(std::move(field));
  return fields;
}

std::optional<double> ncu_value(std::string_view text, std::string_view unit) {
  text = trimmed(text.substr(0, text.find('(')));  // "12 (3; 9)": instances behind the sum
  std::string digits;
  for (const char c : text)
    if (c != ',') digits += c;  // thousands
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty())
    return std::nullopt;
  value *= scale_of(trimmed(unit));
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::vector<NcuLaunch> parse_ncu_raw(std::string_view text) {
  std::vector<NcuLaunch> launches;
  Columns columns;
  std::vector<std::string> unit_row;
  each_line(text, [&](std::string_view line) {
    if (!line.starts_with('"')) return;  // ==PROF== and the program's own words
    const auto row = csv_fields(line);
    if (row.front() == "ID") {
      columns = Columns(row);
      unit_row.clear();
      return;
    }
    if (columns.empty()) return;
    if (row.front().empty()) {
      unit_row = row;
      return;
    }
    if (!ncu_value(row.front(), "")) return;
    NcuLaunch launch{columns.in(row, "Kernel Name"), {}};
    const auto& names = columns.names();
    for (std::size_t i = 0; i < std::min(names.size(), row.size()); ++i)
      if (const auto value = ncu_value(row[i], i < unit_row.size() ? unit_row[i] : ""))
        launch.values.emplace(names[i], *value);
    launches.push_back(std::move(launch));
  });
  return launches;
}

std::vector<NcuListing> parse_ncu_source(std::string_view text) {
  std::vector<NcuListing> listings;
  Columns columns;
  std::optional<std::uint64_t> first;
  each_line(text, [&](std::string_view line) {
    if (!line.starts_with('"')) return;
    const auto row = csv_fields(line);
    if (row.front() == "Kernel Name" || row.front() == "Function Name") {
      listings.push_back({row.size() > 1 ? row[1] : "", {}});
      columns = Columns();
      first.reset();
    } else if (std::find(row.begin(), row.end(), "Address") != row.end()) {
      columns = Columns(row);
    } else if (!listings.empty() && !columns.empty()) {
      const auto where = address(columns.in(row, "Address"));
      if (!where || row.size() < columns.names().size()) return;  // cut off
      if (!first) first = where;  // the listing begins with the kernel's first instruction
      if (*where < *first) return;
      listings.back().code.push_back(instruction_from(columns, row, *where - *first));
    }
  });
  return listings;
}

std::string ncu_problem(std::string_view log) {
  if (log.find("ERR_NVGPUCTRPERM") != std::string_view::npos)
    return "Nsight Compute was not allowed to read the GPU's counters (ERR_NVGPUCTRPERM): run hone "
           "as root or with CAP_SYS_ADMIN, or let all users read them (options nvidia "
           "NVreg_RestrictProfilingToAdminUsers=0 in /etc/modprobe.d, then load the driver anew); "
           "in a container the host's setting counts";
  if (log.find("No kernels were profiled") != std::string_view::npos)
    return "Nsight Compute saw no kernel between the profiler's marks: its version may not follow "
           "the worker process (2021.1 or newer is needed)";
  std::string words;
  each_line(log, [&](std::string_view line) {
    for (const std::string_view mark : {"==ERROR== ", "error while loading shared libraries"})
      if (const auto at = line.find(mark); at != std::string_view::npos && words.size() < 400)
        words += (words.empty() ? "" : "; ") +
                 std::string(trimmed(mark.starts_with('=') ? line.substr(at + mark.size()) : line));
  });
  if (words.empty()) return "";
  if (words.find("shared libraries") != std::string::npos)
    return fmt::format(
        "Nsight Compute does not start ({}): install it whole (the package nsight-compute)", words);
  if (words.find("locked") != std::string::npos ||
      words.find("InterprocessLock") != std::string::npos)
    return fmt::format(
        "Nsight Compute does not start ({}): another profiler is at work on this machine", words);
  return fmt::format("Nsight Compute says: {}", words);
}

}  // namespace hone::profile
