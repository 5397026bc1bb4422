// PTX as NVRTC writes it: statements, what they show, delays, and lines. What is assembled needs
// ptxas, and is skipped where there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/files.h"
#include "device/cuda_api.h"
#include "device/cuda_compile.h"
#include "device/ptx_disturb.h"
#include "device/ptx_lines.h"
#include "device/ptx_scan.h"
#include "device/ptx_traits.h"
#include "device/tools.h"

namespace hone::device {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* small = R"(//
.version 9.0
.target sm_90a
.address_size 64
.extern .shared .align 16 .b8 sm[];
.global .align 4 .b8 table[8] = {1, 2, 3};

.visible .entry k(
	.param .u64 k_param_0
)
.maxntid 128
{
	.reg .pred %p<2>;
	.loc 1 12 3, function_name $L__info_string0, inlined_at 1 30 5
	@%p1 bra 	$L__BB0_2;
	ld.shared.v2.f32 	{%f1, %f2}, [%r1];
	ld.shared.f32 	%f3, [%r1+8];
	// begin inline asm
	{
	.reg .pred P1;
	LAB_WAIT:
	mbarrier.try_wait.parity.shared::cta.b64 P1, [%r1], %r2;
	@P1 bra DONE; bra LAB_WAIT;
	DONE:
	}
	// end inline asm
	bar.sync 	1, 128;
$L__BB0_2:
	bar.sync 	0;
	st.shared.u32 	[%r3], %r4;
	ret;
}
)";

std::vector<std::string> opcodes(std::string_view ptx) {
  std::vector<std::string> found;
  for (const auto& one : ptx_statements(ptx))
    if (one.kind == PtxStatement::Kind::instruction) found.emplace_back(one.opcode);
  return found;
}

TEST(Ptx, IsReadAsStatementsWithInlineAssemblyAndVectors) {
  EXPECT_THAT(opcodes(small), ElementsAre("bra", "ld.shared.v2.f32", "ld.shared.f32",
                                          "mbarrier.try_wait.parity.shared::cta.b64", "bra", "bra",
                                          "bar.sync", "bar.sync", "st.shared.u32", "ret"));
}

TEST(Ptx, ShowsWhatARaceCheckerDoesNotModel) {
  EXPECT_EQ(not_modelled(ptx_traits(small)), "named barriers, mbarriers");
  EXPECT_THAT(
      ptx_traits("bar.sync 0; barrier.sync 0; bar.warp.sync %r1; st.shared.u32 [%r1], %r2;"),
      IsEmpty());
  EXPECT_THAT(ptx_traits("atom.global.add.u32 %r1, [%rd1], 1;"), ElementsAre(trait::free_order));
  EXPECT_THAT(ptx_traits("mov.u64 %rd1, %clock64;"), ElementsAre(trait::free_order));
  EXPECT_THAT(ptx_traits("ld.acquire.gpu.global.u32 %r1, [%rd1];"), ElementsAre(trait::free_order))
      << "a scan that looks back adds up what other blocks have told so far";
  EXPECT_THAT(ptx_traits("ld.volatile.shared.u32 %r1, [%r2];"), IsEmpty())
      << "a race in shared memory shows in bits";
}

TEST(Ptx, ShowsACopyOutOfSharedMemoryThatNoFencePrecedes) {
  const std::string copy =
      "st.shared.u32 [%r1], %r2; bar.sync 0; cp.async.bulk.global.shared::cta.bulk_group [%rd1], "
      "[%r1], 16;";
  EXPECT_TRUE(has_trait(ptx_traits(copy), trait::no_proxy_fence));
  EXPECT_FALSE(
      has_trait(ptx_traits("fence.proxy.async.shared::cta; " + copy), trait::no_proxy_fence));
  EXPECT_FALSE(has_trait(ptx_traits("st.shared.u32 [%r1], %r2; "
                                    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                                    "bytes [%r1], [%rd1], 16, [%r2];"),
                         trait::no_proxy_fence));
}

TEST(Ptx, HasDelaysBeforeWhatWarpsWaitFor) {
  const auto disturbed = disturb_ptx(small, 7);
  EXPECT_EQ(disturbed.places, 5);  // the first of two loads, the wait, both barriers, the store
  EXPECT_THAT(disturbed.ptx, HasSubstr("nanosleep.u32"));
  EXPECT_THAT(disturbed.ptx, HasSubstr("add.u32 %hn_h, %hn_h, 7;"));
  EXPECT_EQ(disturb_ptx("", 7).ptx, "");
}

TEST(Ptx, ReadsTheBlocksOwnSharedMemoryBeforeStores) {
  constexpr const char *reserved = "%reserved_smem_offset_end", *own = "mapa.shared::cluster";
  const auto for_target = [](const char* target) {
    std::string text = small;
    return disturb_ptx(text.replace(text.find("sm_90a"), 6, target), 7).ptx;
  };
  EXPECT_THAT(for_target("sm_100a"), AllOf(HasSubstr(reserved), HasSubstr(own)));
  EXPECT_THAT(for_target("sm_90a"), AllOf(HasSubstr(reserved), HasSubstr(own)));
  EXPECT_THAT(for_target("sm_86"), AllOf(HasSubstr(reserved), Not(HasSubstr(own))));
  EXPECT_THAT(for_target("sm_75"), AllOf(Not(HasSubstr(reserved)), Not(HasSubstr(own))));
}

TEST(Ptx, KeepsWarpsWholeBeforeWhatWantsAllOfTheirThreads) {
  const std::string kernel =
      ".visible .entry k()\n{\n\twgmma.fence.sync.aligned;\n\tbar.sync 0;\n\tret;\n}\n";
  const auto text = disturb_ptx(kernel, 7).ptx;
  const auto whole = text.find("bar.warp.sync -1;");
  ASSERT_NE(whole, std::string::npos);
  EXPECT_LT(whole, text.find("wgmma.fence"));
  EXPECT_EQ(text.find("bar.warp.sync", whole + 1), std::string::npos);
}

TEST(Ptx, DelaysWholeWarpsBeforeTheBarriersOfACluster) {
  const std::string ptx =
      ".visible .entry k()\n{\n\tbarrier.cluster.arrive.release.aligned;\n"
      "\tbarrier.cluster.wait.acquire.aligned;\n\tret;\n}\n";
  const auto disturbed = disturb_ptx(ptx, 7);
  EXPECT_EQ(disturbed.places, 2);
  EXPECT_THAT(disturbed.ptx, HasSubstr("bar.warp.sync -1;\nbarrier.cluster.arrive"));
}

TEST(Ptx, HasTheSameCodeWithoutItsDelays) {
  const auto disturbed = disturb_ptx(small, 7), still = disturb_ptx(small, 7 | without_delays);
  EXPECT_EQ(still.places, disturbed.places);
  EXPECT_THAT(still.ptx, HasSubstr("add.u32 %hn_h, %hn_h, 7;"));
  constexpr const char* none_left = "and.b32 %hn_c, %hn_c, %hn_l;";
  EXPECT_THAT(still.ptx, HasSubstr(none_left));
  EXPECT_THAT(disturbed.ptx, Not(HasSubstr(none_left)));
}

TEST(Ptx, TellsTheSourcesLineWherePtxasNamesThePtxs) {
  const std::string ptx =
      ".loc 1 9 5\nwgmma\n.loc 2 100 3, function_name $x, inlined_at 1 11 2\nwgmma\n"
      ".file 1 \"/tmp/candidate.cu\"\n.file 2 \"/usr/include/header.h\"\n";
  EXPECT_EQ(
      with_source_lines("(C7519) injected in around line 2 by; around line 4 by; around line 99.",
                        ptx, "candidate.cu"),
      "(C7519) injected in near candidate.cu(9) by; near candidate.cu(11) by; near line 99 of the "
      "PTX.");
  EXPECT_FALSE(names_ptx_lines("ptxas info : Used 14 registers"));
}

// Kernels with everything that may have a delay before it.
constexpr const char* pipeline = R"(
extern "C" __global__ void __launch_bounds__(160) pipeline(const float* x, float* y) {
  __shared__ alignas(128) float slots[2][128];
  __shared__ alignas(8) unsigned long long full[2];
  const unsigned bar = (unsigned)__cvta_generic_to_shared(&full[0]), at = (unsigned)__cvta_generic_to_shared(&slots[0][0]);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; mbarrier.init.shared::cta.b64 [%1], 1;" ::"r"(bar), "r"(bar + 8));
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x >= 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x == 128) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(bar) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];" ::"r"(at), "l"(x), "r"(bar) : "memory");
    }
  } else {
    asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], 0;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" ::"r"(bar) : "memory");
    float sum = slots[0][threadIdx.x] + slots[0][127 - threadIdx.x];
    asm volatile("bar.sync 1, 128;" ::: "memory");
    y[threadIdx.x] = sum;
  }
})";

TEST(Ptx, OfARealKernelIsStillAssembledWithDelays) {
  if (!cuda::nvrtc().missing.empty()) GTEST_SKIP() << cuda::nvrtc().missing;
  const std::string ptxas = find_tool("ptxas");
  if (ptxas.empty()) GTEST_SKIP() << "there is no ptxas";
  BuildRequest request{.language = core::Language::cuda,
                       .arch = "sm_90a",
                       .source = pipeline,
                       .name = "pipeline.cu"};
  const auto usual = cuda::compile(request);
  ASSERT_TRUE(usual.ok) << usual.log;
  EXPECT_EQ(not_modelled(usual.traits), "named barriers, mbarriers, bulk copies");
  request.disturb = 3;
  const auto disturbed = cuda::compile(request);
  ASSERT_TRUE(disturbed.ok);
  EXPECT_THAT(disturbed.image, HasSubstr("nanosleep"));
  EXPECT_THAT(disturbed.image, Not(testing::StartsWith("\177ELF")));
  request.disturb = 3 | without_delays;
  const base::TemporaryFolder folder("hone-ptx");
  for (const std::string& image : {disturbed.image, cuda::compile(request).image}) {
    base::write_file_atomically(folder.path() / "a.ptx", image);
    EXPECT_EQ(
        std::system(
            (ptxas + " -arch=sm_90a -o /dev/null " + (folder.path() / "a.ptx").string()).c_str()),
        0);
  }
}

}  // namespace
}  // namespace hone::device
