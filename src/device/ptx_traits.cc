#include "device/ptx_traits.h"

#include <algorithm>
#include <set>

#include "device/ptx_scan.h"

namespace hone::device {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Of all threads of the block: barrier 0 without a number of threads.
bool is_named_barrier(const PtxStatement& one) {
  const bool barrier =
      one.opcode.starts_with("bar.") ||
      (one.opcode.starts_with("barrier.") && !one.opcode.starts_with("barrier.cluster"));
  if (!barrier || one.opcode.starts_with("bar.warp")) return false;
  std::string operands(one.text.substr(one.opcode.size()));
  std::erase_if(operands, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
  if (has(one.opcode, ".red")) return false;
  return operands != "0";
}

struct Seen {
  bool shared_store = false, copies_in = false, bulk_in = false, bulk_out = false, wgmma = false,
       fence = false;
};

void look_at(const PtxStatement& one, std::set<std::string>& traits, Seen& seen) {
  const std::string_view op = one.opcode;
  const auto note = [&](std::string_view name) { traits.emplace(name); };
  if (is_named_barrier(one)) note(trait::named_barriers);
  if (op.starts_with("mbarrier.")) note(trait::mbarriers);
  if (op.starts_with("barrier.cluster") || op.starts_with("mapa") || op.starts_with("st.async"))
    note(trait::clusters);
  if (op.starts_with("cp.async.bulk") || op.starts_with("cp.reduce.async.bulk"))
    note(trait::bulk_copies);
  if (op.starts_with("wgmma.")) note(trait::wgmma);
  // What a kernel reads of the moment: other blocks' flags (a scan that looks back), which threads
  // are there, clocks.
  const bool reads_flags =
      op.starts_with("ld.acquire") || op.starts_with("ld.relaxed") || op.starts_with("ld.volatile");
  if ((reads_flags && !has(op, ".shared")) || op.starts_with("activemask") ||
      op.starts_with("mbarrier.test_wait") || has(one.text, "%warpid"))
    note(trait::free_order);
  if (op.starts_with("atom.") || op.starts_with("red.") || op.starts_with("cp.reduce.") ||
      op.starts_with("multimem.") || has(one.text, "%clock") || has(one.text, "%globaltimer") ||
      has(one.text, "%smid"))
    note(trait::free_order);
  seen.shared_store |= (op.starts_with("st.") && has(op, ".shared")) || op.starts_with("stmatrix");
  seen.copies_in |= op.starts_with("cp.async.ca") || op.starts_with("cp.async.cg");
  const bool bulk = has(op, ".async.bulk.") && !has(op, "commit") && !has(op, "wait");
  seen.bulk_out |= bulk && has(op, ".global.shared");
  seen.bulk_in |= bulk && has(op, ".shared") && has(op, ".global") && !has(op, ".global.shared");
  seen.wgmma |= op.starts_with("wgmma.mma");
  seen.fence |= op.starts_with("fence.proxy.async");
}

}  // namespace

std::vector<std::string> ptx_traits(std::string_view ptx) {
  std::set<std::string> traits;
  Seen seen;
  for (const auto& one : ptx_statements(ptx))
    if (one.kind == PtxStatement::Kind::instruction) look_at(one, traits, seen);
  const bool stored_out = seen.bulk_out && seen.shared_store;
  const bool stored_for_wgmma =
      seen.wgmma && !seen.bulk_in && (seen.shared_store || seen.copies_in);
  if (!seen.fence && (stored_out || stored_for_wgmma)) traits.emplace(trait::no_proxy_fence);
  return {traits.begin(), traits.end()};
}

bool has_trait(const std::vector<std::string>& traits, std::string_view name) {
  return std::find(traits.begin(), traits.end(), name) != traits.end();
}

std::string not_modelled(const std::vector<std::string>& traits) {
  std::string text;
  for (const auto name :
       {trait::named_barriers, trait::mbarriers, trait::clusters, trait::bulk_copies, trait::wgmma})
    if (has_trait(traits, name)) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace hone::device
