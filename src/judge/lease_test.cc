#include "judge/lease.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"

namespace hone::judge {
namespace {

TEST(Lease, SaysWhichProcessHoldsTheDeviceWhatItDoesAndSinceWhen) {
  const LeaseHolder holder = holder_from(to_text({"4711", "hone task check mytask", 1'000'000}));
  EXPECT_EQ(waiting_text("opencl:0", holder, 1'000'040),
            "waiting for opencl:0, which process 4711 uses (hone task check mytask) since 40 s");
  EXPECT_EQ(waiting_text("opencl:0", holder, 1'000'600),
            "waiting for opencl:0, which process 4711 uses (hone task check mytask) since 10 min");
}

TEST(Lease, ReadsWhatOthersWroteAsText) {
  const LeaseHolder holder = holder_from("12\x1b[31m\nsoon\n" + std::string(5000, 'x'));
  const std::string text = waiting_text("cuda:0", holder, 100);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_LT(text.size(), 300u);
  EXPECT_EQ(waiting_text("cuda:0", holder_from("4711"), 100),
            "waiting for cuda:0, which process 4711 uses")
      << "as earlier versions wrote it";
}

TEST(Lease, WaitsNoLongerThanItsDeadlineAndSaysWhatItWaitedFor) {
  const base::TemporaryFolder folder("lease");
  ::setenv("HONE_LEASES", folder.path().c_str(), 1);
  core::DeviceInfo info;
  info.id = "fake:1";
  info.uuid = "a device of this test's own";
  const Lease held(info, [](const std::string&) {});
  std::string said, failed;
  try {
    const Lease late(
        info, [&](const std::string& text) { said = text; }, Clock::now());
  } catch (const base::Error& error) {
    failed = error.what();
  }
  ::unsetenv("HONE_LEASES");
  const std::string waiting =
      "waiting for fake:1, which process " + std::to_string(::getpid()) + " uses (";
  EXPECT_THAT(said, testing::StartsWith(waiting));
  EXPECT_THAT(failed, testing::StartsWith("the time was up (--max-seconds) while " + waiting));
}

}  // namespace
}  // namespace hone::judge
