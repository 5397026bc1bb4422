#include "device/cuda_cupti.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace hone::device::cuda {
namespace {

using Kind = Activity::Kind;
using testing::HasSubstr;

struct Bytes {
  alignas(8) unsigned char raw[256] = {};
  template <typename T>
  Bytes& at(std::size_t offset, T value) {
    std::memcpy(raw + offset, &value, sizeof value);
    return *this;
  }
};

Bytes kernel(std::uint64_t start, std::uint64_t end, std::uint32_t correlation, const char* name) {
  return Bytes()
      .at(0, std::uint32_t{10})
      .at(16, start)
      .at(24, end)
      .at(48, std::uint32_t{7})
      .at(92, correlation)
      .at(104, name);
}
Bytes call(std::uint32_t id, std::uint64_t start, std::uint64_t end, std::uint32_t correlation) {
  return Bytes().at(0, std::uint32_t{4}).at(4, id).at(8, start).at(16, end).at(32, correlation);
}
std::vector<CuptiRecord> decoded(const std::vector<Bytes>& all) {
  std::vector<CuptiRecord> records;
  for (const auto& one : all) decode_record(one.raw, records);
  return records;
}
constexpr std::uint32_t launch_kernel = 307, launch_kernel_ex = 652, synchronize = 126;

TEST(Cupti, ReadsTheFieldsItNeedsAndPassesOverTheRest) {
  const auto records =
      decoded({kernel(100, 200, 5, "row_max"), call(launch_kernel, 10, 14, 5),
               call(synchronize, 20, 30, 6), Bytes().at(0, std::uint32_t{99}),
               Bytes().at(0, std::uint32_t{1}).at(16, std::uint64_t{1}).at(24, std::uint64_t{2})});
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].kind, Kind::kernel);
  EXPECT_EQ(records[0].name, "row_max");
  EXPECT_EQ(records[0].stream, 7u);
  EXPECT_EQ(records[0].correlation, 5u);
  EXPECT_EQ(records[1].kind, Kind::launch_call);
  EXPECT_EQ(records[2].kind, Kind::copy);
  EXPECT_EQ(decoded({kernel(1, 2, 3, nullptr)})[0].name, "");
}

TEST(Cupti, FindsTheCallAmongTheRunnersOwnKernels) {
  const auto records = decoded({
      call(launch_kernel, 100, 110, 1), kernel(150, 900, 1, "hone_runway"),  // before the call
      call(launch_kernel, 1000, 1005, 2), call(launch_kernel_ex, 1010, 1030, 3),
      call(launch_kernel, 1040, 1050, 4), kernel(2100, 2200, 3, "b"), kernel(2000, 2100, 2, "a"),
      kernel(2300, 2400, 4, "b"),
      Bytes()
          .at(0, std::uint32_t{38})
          .at(8, std::uint64_t{1060})
          .at(16, std::uint64_t{2500}),  // the runner's own wait
  });
  const auto found = call_activities(records, 1000, 1055, 2600, {0, 1, 1});
  ASSERT_TRUE(found) << found.error();
  ASSERT_EQ(found->size(), 6u);
  EXPECT_EQ(found->at(0).kind, Kind::launch_call);
  EXPECT_EQ(found->at(3).name, "a");
  EXPECT_EQ(found->at(3).launch, 0);
  EXPECT_NEAR(found->at(3).start, 1000e-9, 1e-15);
  EXPECT_EQ(found->at(5).launch, 1);
}

TEST(Cupti, RecordsThatDoNotFitAreRefused) {
  const auto lost =
      call_activities(decoded({call(launch_kernel, 1000, 1005, 2)}), 1000, 1100, 2000, {0});
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error(), HasSubstr("0 kernels"));
  EXPECT_FALSE(call_activities({}, 0, 1, 2, {0}));
  // No timestamps could be taken.
  EXPECT_FALSE(call_activities(decoded({call(launch_kernel, 1000, 1005, 2), kernel(0, 0, 2, "a")}),
                               1000, 1100, 2000, {0}));
}

}  // namespace
}  // namespace hone::device::cuda
