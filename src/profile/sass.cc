#include "profile/sass.h"

#include <fmt/format.h>

#include <algorithm>

#include "profile/sass_class.h"
#include "profile/sass_loops.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

constexpr std::size_t most_named = 8;  // unknown opcodes in a note

struct Counted {
  std::string_view tag;
  bool (*is)(std::string_view base, std::string_view opcode);
};

bool ends_in(std::string_view base, std::string_view ending) { return base.ends_with(ending); }
bool at_device(std::string_view opcode) {
  return has_modifier(opcode, "GPU") || has_modifier(opcode, "SYS");
}

const Counted counted_classes[] = {
    {tag::sass_hmma,
     [](std::string_view base, std::string_view) {
       return ends_in(base, "MMA") && !ends_in(base, "GMMA") && !base.starts_with("UTC");
     }},
    {tag::sass_hgmma,
     [](std::string_view base, std::string_view) { return ends_in(base, "GMMA"); }},
    {tag::sass_utcmma,
     [](std::string_view base, std::string_view) {
       return base.starts_with("UTC") && ends_in(base, "MMA");
     }},
    {tag::sass_ldgsts, [](std::string_view base, std::string_view) { return base == "LDGSTS"; }},
    {tag::sass_bulk,
     [](std::string_view base, std::string_view) { return base == "UBLKCP" || base == "UBLKRED"; }},
    {tag::sass_bulk_tensor,
     [](std::string_view base, std::string_view) {
       return base == "UTMALDG" || base == "UTMASTG" || base == "UTMAREDG";
     }},
    {tag::sass_bar, [](std::string_view base, std::string_view) { return base == "BAR"; }},
    {tag::sass_cluster_bar,
     [](std::string_view base, std::string_view) { return base == "UCGABAR_WAIT"; }},
    {tag::sass_mbarrier,
     [](std::string_view base, std::string_view) { return base == "SYNCS" || base == "ARRIVES"; }},
    {tag::sass_membar, [](std::string_view base, std::string_view) { return base == "MEMBAR"; }},
    {tag::sass_membar_gpu,
     [](std::string_view base, std::string_view opcode) {
       return base == "MEMBAR" && at_device(opcode);
     }},
    {tag::sass_errbar, [](std::string_view base, std::string_view) { return base == "ERRBAR"; }},
};

int count_of(const std::map<std::string, int>& mix, std::string_view name) {
  const auto found = mix.find(std::string(name));
  return found == mix.end() ? 0 : found->second;
}

bool never_runs(const SassInstruction& one) {
  return one.predicate == "!PT" || one.predicate == "!UPT";
}

void count(const SassInstruction& one, SassSummary& summary) {
  const auto base = base_of(one.opcode);
  const auto kind = class_of(one);
  ++summary.instructions;
  if (!one.predicate.empty() && !never_runs(one)) ++summary.predicated;
  if (kind.empty()) {
    ++summary.unknown;
    ++summary.strange[std::string(base)];
    return;
  }
  ++summary.mix[std::string(kind)];
  if (never_runs(one)) return;
  for (const auto& what : counted_classes)
    if (what.is(base, one.opcode)) ++summary.counts[std::string(what.tag)];
  for (const char* moved : {"load_global", "store_global", "load_shared", "store_shared"})
    if (kind == moved) ++summary.widths[moved][width_of(one.opcode)];
}

// Arithmetic on integers and addresses for each access; -1 where nothing is accessed.
double address_per_access(const std::map<std::string, int>& mix) {
  int accesses = 0;
  for (const char* kind :
       {"load_global", "store_global", "load_shared", "store_shared", "copy_async", "atomic"})
    accesses += count_of(mix, kind);
  if (accesses == 0) return -1;
  return static_cast<double>(count_of(mix, "integer") + count_of(mix, "address")) / accesses;
}

SassLoop describe(const SassKernel& kernel, const CodeLoop& loop, const LineMap* lines) {
  SassLoop described;
  described.first = kernel.code[loop.body.front()].offset;
  described.last = kernel.code[loop.body.back()].offset;
  described.depth = loop.depth;
  for (const std::size_t at : loop.body) {
    const auto& one = kernel.code[at];
    ++described.instructions;
    const auto kind = class_of(one);
    if (!kind.empty()) ++described.mix[std::string(kind)];
    const int line = lines == nullptr ? 0 : lines->line_at(one.offset);
    if (line == 0) continue;
    described.first_line = described.first_line == 0 ? line : std::min(described.first_line, line);
    described.last_line = std::max(described.last_line, line);
  }
  return described;
}

class Metrics {
 public:
  Metrics(Collected& collected, int launch) : collected_(collected), launch_(launch) {}
  void add(std::string_view tag, std::string_view rest, double value) {
    collected_.metrics.push_back({fmt::format("{}{}", tag, rest), "1", value, "", "", launch_, {}});
  }
  void missing(std::string_view tag, const std::string& why) {
    collected_.metrics.push_back({std::string(tag), "1", std::nullopt, why, "", launch_, {}});
  }

 private:
  Collected& collected_;
  int launch_;
};

void emit_widths(const SassSummary& summary, Metrics& metrics) {
  for (const auto& [tag, name] : {std::pair{tag::sass_load_global, "load_global"},
                                  std::pair{tag::sass_store_global, "store_global"},
                                  std::pair{tag::sass_load_shared, "load_shared"},
                                  std::pair{tag::sass_store_shared, "store_shared"}}) {
    std::map<int, int> widths = {{8, 0}, {16, 0}, {32, 0}, {64, 0}, {128, 0}};
    if (const auto found = summary.widths.find(name); found != summary.widths.end())
      for (const auto& [bits, number] : found->second) widths[bits] = number;
    for (const auto& [bits, number] : widths) metrics.add(tag, std::to_string(bits), number);
  }
}

void emit(const SassSummary& summary, Metrics metrics) {
  metrics.add(tag::sass_instructions, "", summary.instructions);
  metrics.add(tag::sass_unknown, "", summary.unknown);
  for (const auto kind : sass_classes) {
    metrics.add(tag::sass_mix, kind, count_of(summary.mix, kind));
    metrics.add(tag::sass_loop_mix, kind, count_of(summary.loop_mix, kind));
  }
  emit_widths(summary, metrics);
  for (const auto& what : counted_classes)
    metrics.add(what.tag, "", count_of(summary.counts, what.tag));
  metrics.add(tag::sass_loops, "", summary.loops);
  metrics.add(tag::sass_predicated, "",
              summary.instructions == 0
                  ? 0
                  : static_cast<double>(summary.predicated) / summary.instructions);
  if (summary.address_per_access >= 0)
    metrics.add(tag::sass_address_per_access, "", summary.address_per_access);
  else
    metrics.missing(tag::sass_address_per_access,
                    "the kernel's code accesses no global or shared memory");
}

void note_strangers(const SassSummary& summary, std::vector<std::string>& notes) {
  if (summary.strange.empty()) return;
  std::string names;
  std::size_t named = 0;
  for (const auto& [opcode, times] : summary.strange) {
    if (named++ == most_named) break;
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", opcode.substr(0, 32), times);
  }
  notes.push_back(fmt::format("{}: {} of {} instructions are in no class that Hone knows: {}{}",
                              summary.kernel, summary.unknown, summary.instructions, names,
                              summary.strange.size() > most_named ? ", ..." : ""));
}

}  // namespace

SassSummary summarise(const SassKernel& kernel, const LineMap* lines) {
  SassSummary summary;
  summary.kernel = kernel.name;
  for (const auto& one : kernel.code) count(one, summary);
  for (const auto& loop : loops_of(kernel)) {
    ++summary.loops;
    if (!loop.innermost) continue;
    summary.innermost.push_back(describe(kernel, loop, lines));
    for (const auto& [kind, number] : summary.innermost.back().mix)
      summary.loop_mix[kind] += number;
  }
  summary.address_per_access = address_per_access(summary.loop_mix);
  if (summary.address_per_access < 0) summary.address_per_access = address_per_access(summary.mix);
  return summary;
}

Collected collect_sass_text(std::string_view text, const core::ResolvedPlan& plan) {
  Collected collected;
  std::map<std::string, SassSummary> summaries;
  for (const auto& kernel : parse_sass(text)) summaries.emplace(kernel.name, summarise(kernel));
  std::map<int, std::string> launches;
  for (const auto& launch : plan.launches) launches.emplace(launch.plan_index, launch.kernel);
  for (const auto& [launch, kernel] : launches) {
    Metrics metrics(collected, launch);
    if (const auto found = summaries.find(kernel);
        found != summaries.end() && found->second.instructions > 0)
      emit(found->second, metrics);
    else
      metrics.missing(tag::sass_instructions,
                      fmt::format("the disassembly has no code for {}", kernel));
  }
  for (const auto& [kernel, summary] : summaries) note_strangers(summary, collected.notes);
  return collected;
}

}  // namespace hone::profile
