#include "device/ptx_disturb.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

#include "device/ptx_scan.h"

namespace hone::device {
namespace {

constexpr int most_places = 400;  // of a kernel: each is a dozen instructions

// Registers of a kernel: %hn_id tells warp, block and call apart; %hn_m is how rare delays are,
// %hn_n how long, %hn_c how many this thread has left; with %hn_q the clock decides too, so that a
// warp is not late at one place every time. Four sorts of schedule by the two highest bits: many
// short delays, some middling ones (two sorts), a few long ones. Blocks that begin within 131 µs
// share a sort.
constexpr std::string_view prologue = R"(
	.reg .b32 %hn_id, %hn_m, %hn_n, %hn_c, %hn_h, %hn_l;
	.reg .b64 %hn_t;
	.reg .pred %hn_p, %hn_q;
	mov.u64 %hn_t, %globaltimer;
	shr.u64 %hn_t, %hn_t, 17;
	cvt.u32.u64 %hn_h, %hn_t;
	add.u32 %hn_h, %hn_h, SEED;
	mul.lo.u32 %hn_h, %hn_h, -1640531535;
	shr.u32 %hn_l, %hn_h, 15;
	xor.b32 %hn_h, %hn_h, %hn_l;
	mul.lo.u32 %hn_h, %hn_h, -2048144789;
	shr.u32 %hn_l, %hn_h, 30;
	shl.b32 %hn_l, %hn_l, 3;
	shr.u32 %hn_m, 52365057, %hn_l;
	and.b32 %hn_m, %hn_m, 255;
	shr.u32 %hn_c, 1074012415, %hn_l;
	and.b32 %hn_c, %hn_c, 255;
	shr.u32 %hn_n, 202378506, %hn_l;
	and.b32 %hn_n, %hn_n, 255;
	shl.b32 %hn_n, 1, %hn_n;
	sub.u32 %hn_n, %hn_n, 1;
	and.b32 %hn_l, %hn_h, 536870912;
	setp.ne.u32 %hn_q, %hn_l, 0;
	mov.u32 %hn_id, %tid.z;
	mov.u32 %hn_l, %ntid.y;
	mul.lo.u32 %hn_id, %hn_id, %hn_l;
	mov.u32 %hn_l, %tid.y;
	add.u32 %hn_id, %hn_id, %hn_l;
	mov.u32 %hn_l, %ntid.x;
	mul.lo.u32 %hn_id, %hn_id, %hn_l;
	mov.u32 %hn_l, %tid.x;
	add.u32 %hn_id, %hn_id, %hn_l;
	shr.u32 %hn_id, %hn_id, 5;
	mov.u32 %hn_l, %ctaid.x;
	shl.b32 %hn_l, %hn_l, 6;
	add.u32 %hn_id, %hn_id, %hn_l;
	mov.u32 %hn_l, %ctaid.y;
	shl.b32 %hn_l, %hn_l, 20;
	add.u32 %hn_id, %hn_id, %hn_l;
	mul.lo.u32 %hn_id, %hn_id, -1028477387;
	xor.b32 %hn_id, %hn_id, %hn_h;
)";

// No delay is left to any thread. The clock's highest bit is 0 for centuries, which ptxas does not
// know: it removes nothing.
constexpr std::string_view no_delays = R"(
	mov.u64 %hn_t, %globaltimer;
	shr.u64 %hn_t, %hn_t, 63;
	cvt.u32.u64 %hn_l, %hn_t;
	and.b32 %hn_c, %hn_c, %hn_l;
)";

std::string delay(int place) {
  return fmt::format(R"(
	add.u32 %hn_h, %hn_id, {};
	@%hn_q mov.u32 %hn_l, %clock;
	@%hn_q xor.b32 %hn_h, %hn_h, %hn_l;
	mul.lo.u32 %hn_h, %hn_h, -2048144789;
	shr.u32 %hn_l, %hn_h, 13;
	xor.b32 %hn_h, %hn_h, %hn_l;
	mul.lo.u32 %hn_h, %hn_h, -1028477387;
	shr.u32 %hn_l, %hn_h, 24;
	and.b32 %hn_l, %hn_l, %hn_m;
	setp.eq.u32 %hn_p, %hn_l, 0;
	setp.ne.and.u32 %hn_p, %hn_c, 0, %hn_p;
	and.b32 %hn_l, %hn_h, %hn_n;
	@%hn_p sub.u32 %hn_c, %hn_c, 1;
	@%hn_p nanosleep.u32 %hn_l;
)",
                     (place + 1) * 40503u);
}

// A warp may come out of a delay in parts, and some instructions want all of its threads at once.
constexpr std::string_view whole_warp = "	bar.warp.sync -1;\n";

enum class Sort { other, waits, load, store };

// Now and then a warp first reads one bank of shared memory over and over, so that its stores wait
// behind that while other warps, and copies that no fence holds back, go on. What the driver keeps
// below the kernel's own (from sm_80 on) is left alone, and from sm_90 on the address names the
// block within its cluster: without that it is an illegal instruction in all blocks but the first.
std::string crowd(int target) {
  std::string text = R"(
	shr.u32 %hn_l, %hn_h, 16;
	and.b32 %hn_l, %hn_l, 7;
	setp.eq.u32 %hn_p, %hn_l, 0;
	setp.ne.and.u32 %hn_p, %hn_c, 0, %hn_p;
	mov.u32 %hn_l, %tid.x;
	and.b32 %hn_l, %hn_l, 31;
	shl.b32 %hn_l, %hn_l, 7;
	mov.u32 %hn_h, %total_smem_size;
	max.u32 %hn_h, %hn_h, 4;
	rem.u32 %hn_l, %hn_l, %hn_h;
	and.b32 %hn_l, %hn_l, -4;
)";
  if (target >= 80)
    text += R"(
	mov.u32 %hn_h, %reserved_smem_offset_end;
	add.u32 %hn_l, %hn_l, %hn_h;
)";
  if (target >= 90)
    text += R"(
	mov.u32 %hn_h, %cluster_ctarank;
	mapa.shared::cluster.u32 %hn_l, %hn_l, %hn_h;
)";
  for (int i = 0; i < 8; ++i) text += "	@%hn_p ld.volatile.shared.b32 %hn_h, [%hn_l];\n";
  return text;
}

// What warps wait for one another by, and accesses of memory that several of them share.
Sort sort_of(std::string_view op) {
  for (const char* start :
       {"bar.",        "barrier.",   "mbarrier.",   "cp.async",       "cp.reduce.",
        "fence.",      "membar.",    "wgmma.fence", "st.async",       "red.async",
        "atom.",       "red.",       "mapa",        "griddepcontrol", "ld.acquire",
        "ld.volatile", "ld.relaxed", "st.release",  "st.volatile",    "st.relaxed"})
    if (op.starts_with(start)) return Sort::waits;
  const bool shared = op.find(".shared") != std::string_view::npos;
  if (op.starts_with("ldmatrix") || (shared && op.starts_with("ld."))) return Sort::load;
  if (op.starts_with("stmatrix") || (shared && op.starts_with("st."))) return Sort::store;
  return Sort::other;
}

// sm_90a: 90; nothing if this directive names none.
std::optional<int> target_of(std::string_view directive) {
  constexpr std::string_view start = ".target sm_";
  if (!directive.starts_with(start)) return std::nullopt;
  int target = 0;
  std::from_chars(directive.data() + start.size(), directive.data() + directive.size(), target);
  return target;
}

// Goes through the statements of the kernels' bodies. Of accesses that follow each other only the
// first has a delay.
class Disturber {
 public:
  Disturber(std::string_view ptx, std::uint32_t seed) : ptx_(ptx), seed_(seed) {}

  DisturbedPtx run() {
    for (const auto& one : ptx_statements(ptx_)) take(one);
    result_.ptx += ptx_.substr(done_);
    return std::move(result_);
  }

 private:
  using Kind = PtxStatement::Kind;

  void insert(std::size_t at, std::string_view text) {
    result_.ptx += ptx_.substr(done_, at - done_);
    result_.ptx += text;
    done_ = at;
  }

  void take(const PtxStatement& one) {
    if (one.kind == Kind::directive) {
      if (depth_ == 0) entry_ = one.text.find(".entry") != std::string_view::npos;
      target_ = target_of(one.text).value_or(target_);
    } else if (one.kind == Kind::open) {
      if (depth_++ == 0 && entry_) {
        std::string text(prologue);
        text.replace(text.find("SEED"), 4, std::to_string(seed_ & ~without_delays));
        if ((seed_ & without_delays) != 0) text += no_delays;
        insert(one.at + 1, text);
        places_ = 0;
        loads_ = stores_ = false;
      }
    } else if (one.kind == Kind::close) {
      if (--depth_ == 0) entry_ = false;
    } else if (one.kind == Kind::label) {
      loads_ = stores_ = false;
    } else if (entry_ && depth_ > 0) {
      instruction(one);
    }
  }

  void instruction(const PtxStatement& one) {
    const Sort sort = sort_of(one.opcode);
    if (one.opcode.starts_with("bra") || sort == Sort::waits) loads_ = stores_ = false;
    if (sort == Sort::other) return;
    bool& before = sort == Sort::load ? loads_ : stores_;
    if (sort != Sort::waits && std::exchange(before, true)) return;
    if (places_ >= most_places) return;
    std::string text = delay(places_++);
    if (sort == Sort::store) text += crowd(target_);
    if (one.opcode.find(".aligned") != std::string_view::npos) text += whole_warp;
    insert(one.at, text);
    ++result_.places;
  }

  std::string_view ptx_;
  std::uint32_t seed_;
  std::size_t done_ = 0;
  DisturbedPtx result_;
  int depth_ = 0, places_ = 0, target_ = 0;
  bool entry_ = false, loads_ = false, stores_ = false;
};

}  // namespace

DisturbedPtx disturb_ptx(std::string_view ptx, std::uint32_t seed) {
  return Disturber(ptx, seed).run();
}

}  // namespace hone::device
