// The judge's arithmetic on a real device, held against the host's. Skipped where there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "device/backend.h"
#include "device/host_tensor_ops.h"

namespace hone::device {
namespace {

using core::DType;

constexpr DType floats[] = {DType::f64, DType::f32, DType::f16, DType::bf16};

class CudaTensorOpsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto report = cuda_backend.discover();
    if (!report.available) return;
    cuda_ = cuda_backend.tensor_ops(report.devices[0]);
    host_ = open_host_tensor_ops();
    on_device_ = cuda_->allocate(room);
    on_host_ = host_->allocate(room);
  }
  static void TearDownTestSuite() {
    cuda_.reset();
    host_.reset();
  }
  void SetUp() override {
    if (!cuda_) GTEST_SKIP() << cuda_backend.discover().why;
  }

  static Span device(std::uint64_t offset, std::uint64_t bytes) {
    return {on_device_.id, offset, bytes};
  }
  static Span host(std::uint64_t offset, std::uint64_t bytes) {
    return {on_host_.id, offset, bytes};
  }

  template <typename T>
  static std::vector<T> contents(TensorOps& ops, const Span& span) {
    std::vector<T> values(span.bytes / sizeof(T));
    ops.read(span, values.data());
    return values;
  }
  static std::vector<double> reals(TensorOps& ops, const Span& span, DType dtype) {
    const auto bytes = contents<unsigned char>(ops, span);
    std::vector<double> values;
    for (std::size_t at = 0; at < bytes.size(); at += core::size_of(dtype))
      values.push_back(core::load_as_double(dtype, &bytes[at]));
    return values;
  }

  static constexpr std::uint64_t room = 64 << 20;
  static inline std::unique_ptr<TensorOps> cuda_, host_;
  static inline Block on_device_, on_host_;
};

TEST_F(CudaTensorOpsTest, DrawsNormalsOfTheRightMeanAndSpread) {
  constexpr std::uint64_t elements = 1 << 20;
  for (const DType dtype : floats) {
    const Span span = device(0, elements * core::size_of(dtype));
    cuda_->draw(span, {.dtype = dtype, .a = 2, .b = 3}, 42);
    double sum = 0, squares = 0;
    for (const double value : reals(*cuda_, span, dtype)) sum += value, squares += value * value;
    const double mean = sum / elements, deviation = std::sqrt(squares / elements - mean * mean);
    EXPECT_NEAR(mean, 2, 0.02) << core::name_of(dtype);
    EXPECT_NEAR(deviation, 3, 0.02) << core::name_of(dtype);
  }
}

TEST_F(CudaTensorOpsTest, DrawsWhatTheHostDraws) {
  constexpr std::uint64_t elements = 100003;  // odd, so that the last group of four is broken
  for (const auto variant : {core::Variant::plain, core::Variant::shifted, core::Variant::flipped,
                             core::Variant::heavy, core::Variant::large})
    for (const auto kind : {core::DrawKind::normal, core::DrawKind::uniform})
      for (const DType dtype : floats) {
        const std::uint64_t bytes = elements * core::size_of(dtype);
        const DrawRequest request{
            .dtype = dtype, .kind = kind, .a = -1, .b = 2, .variant = variant};
        cuda_->draw(device(0, bytes), request, 7);
        host_->draw(host(0, bytes), request, 7);
        const auto ours = reals(*cuda_, device(0, bytes), dtype),
                   theirs = reals(*host_, host(0, bytes), dtype);
        // Logarithm and sine differ in their last bits, and a value near a rounding boundary falls
        // to either side of it.
        const double step = dtype == DType::bf16 ? 8e-3 : dtype == DType::f16 ? 1e-3 : 1e-5;
        const double usual = variant == core::Variant::heavy   ? 1000
                             : variant == core::Variant::large ? 400
                                                               : 10;
        double worst = 0;
        for (std::uint64_t i = 0; i < elements; ++i)
          worst = std::max(worst,
                           std::fabs(ours[i] - theirs[i]) / std::max(usual, std::fabs(theirs[i])));
        EXPECT_LT(worst, step) << core::name_of(dtype) << " variant " << static_cast<int>(variant)
                               << " kind " << static_cast<int>(kind);
      }
}

TEST_F(CudaTensorOpsTest, DrawsExactlyTheHostsIntegersGarbageAndPoison) {
  const std::pair<std::int64_t, std::int64_t> ranges[] = {
      {-5, 9},
      {0, 255},
      {-1'000'000'000'000, 1'000'000'000'000},
      {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}};
  for (const DType dtype : {DType::i64, DType::i32, DType::i8, DType::u8, DType::f32})
    for (const auto& [low, high] : ranges) {
      const std::uint64_t bytes = 10007 * core::size_of(dtype);
      const DrawRequest request{
          .dtype = dtype, .kind = core::DrawKind::integers, .low = low, .high = high};
      cuda_->draw(device(0, bytes), request, 99);
      host_->draw(host(0, bytes), request, 99);
      EXPECT_EQ(contents<unsigned char>(*cuda_, device(0, bytes)),
                contents<unsigned char>(*host_, host(0, bytes)))
          << core::name_of(dtype) << " from " << low << " to " << high;
    }
  for (const std::uint64_t offset : {0, 8, 13})
    for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::i32}) {
      const Span there = device(offset, 4099), here = host(offset, 4099);
      cuda_->poison(there, dtype, 5);
      host_->poison(here, dtype, 5);
      EXPECT_EQ(contents<unsigned char>(*cuda_, there), contents<unsigned char>(*host_, here))
          << core::name_of(dtype);
    }
}

TEST_F(CudaTensorOpsTest, PoisonsWithNothingButNaN) {
  for (const DType dtype : floats) {
    const Span span = device(0, 4096 * core::size_of(dtype));
    cuda_->poison(span, dtype, 3);
    for (const double value : reals(*cuda_, span, dtype))
      ASSERT_TRUE(std::isnan(value)) << core::name_of(dtype);
  }
}

TEST_F(CudaTensorOpsTest, FindsTheFirstChangedByte) {
  for (const std::uint64_t offset : {0, 16, 3}) {
    const Span span = device(offset, 1'000'003);
    cuda_->garbage(span, 11);
    EXPECT_EQ(cuda_->find_change(span, 11), -1);
    EXPECT_NE(cuda_->find_change(span, 12), -1);
    for (const std::uint64_t place : {1'000'002, 700'001, 5, 0}) {
      const auto before = contents<unsigned char>(*cuda_, {span.block, span.offset + place, 1});
      const unsigned char changed = before[0] ^ 0x10;
      cuda_->write({span.block, span.offset + place, 1}, &changed);
      EXPECT_EQ(cuda_->find_change(span, 11), static_cast<std::int64_t>(place));
    }
  }
}

TEST_F(CudaTensorOpsTest, FingerprintsSeeEveryByteAndItsPlace) {
  const Span span = device(0, 999'999);
  cuda_->garbage(span, 1);
  const std::uint64_t print = cuda_->fingerprint(span, 77);
  EXPECT_EQ(cuda_->fingerprint(span, 77), print);
  EXPECT_NE(cuda_->fingerprint(span, 78), print) << "the key counts";
  EXPECT_NE(cuda_->fingerprint(device(0, 999'998), 77), print) << "the length counts";
  auto bytes = contents<unsigned char>(*cuda_, span);
  std::vector<unsigned char> swapped = bytes;
  std::swap_ranges(swapped.begin(), swapped.begin() + 8, swapped.begin() + 8000);
  cuda_->write(span, swapped.data());
  EXPECT_NE(cuda_->fingerprint(span, 77), print) << "the order counts";
  for (const std::size_t place : {std::size_t{0}, bytes.size() / 2, bytes.size() - 1}) {
    auto changed = bytes;
    changed[place] ^= 1;
    cuda_->write(span, changed.data());
    EXPECT_NE(cuda_->fingerprint(span, 77), print) << place;
  }
  cuda_->write(span, bytes.data());
  EXPECT_EQ(cuda_->fingerprint(span, 77), print);
}

TEST_F(CudaTensorOpsTest, ManyAtOnceAreAsEachAlone) {
  std::vector<Span> spans;
  std::vector<Garbage> garbage;
  for (std::uint64_t i = 0; i < 600; ++i) {  // more than are fetched at once
    spans.push_back(device(1000 * i, i + 1));
    garbage.push_back({spans.back(), i});
    cuda_->garbage(spans.back(), i % 3 == 0 ? i + 1 : i);
  }
  const auto prints = cuda_->fingerprints(spans, 7);
  const auto changes = cuda_->find_changes(garbage);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    EXPECT_EQ(prints[i], cuda_->fingerprint(spans[i], 7)) << i;
    EXPECT_EQ(changes[i] >= 0, i % 3 == 0) << i;
    EXPECT_EQ(changes[i], cuda_->find_change(spans[i], i)) << i;
  }
}

void expect_same(const Distance& ours, const Distance& theirs, const std::string& what) {
  EXPECT_DOUBLE_EQ(ours.max, theirs.max) << what;
  EXPECT_NEAR(ours.scale, theirs.scale, 1e-12 * theirs.scale) << what;
  EXPECT_NEAR(ours.rms, theirs.rms, 1e-12 * (theirs.rms + 1e-30)) << what;
  EXPECT_EQ(ours.worst, theirs.worst) << what;
  EXPECT_EQ(ours.first_bad, theirs.first_bad) << what;
  EXPECT_EQ(ours.bad, theirs.bad) << what;
  EXPECT_EQ(ours.nonfinite, theirs.nonfinite) << what;
}

TEST_F(CudaTensorOpsTest, MeasuresTheDistanceTheHostMeasures) {
  constexpr std::uint64_t elements = 300'007, expected_at = 16 << 20;
  constexpr double infinity = std::numeric_limits<double>::infinity(),
                   nan = std::numeric_limits<double>::quiet_NaN();
  const Span truth = device(expected_at, 8 * elements),
             host_truth = host(expected_at, 8 * elements);
  for (const DType dtype : floats)
    for (const bool strange : {false, true}) {
      const std::uint64_t bytes = elements * core::size_of(dtype);
      host_->draw(host_truth, {.dtype = DType::f64}, 21);
      auto values = contents<double>(*host_, host_truth);
      if (strange) values[100] = infinity, values[200] = -infinity, values[300] = nan;
      host_->write(host_truth, values.data());
      cuda_->write(truth, values.data());
      host_->round_to(host_truth, host(0, bytes), dtype);
      auto actual = contents<unsigned char>(*host_, host(0, bytes));
      core::store_double(dtype, values[1234] + 0.5, &actual[1234 * core::size_of(dtype)]);
      if (strange) {
        core::store_double(dtype, nan, &actual[100 * core::size_of(dtype)]);
        core::store_double(dtype, infinity, &actual[5000 * core::size_of(dtype)]);
      }
      host_->write(host(0, bytes), actual.data());
      cuda_->write(device(0, bytes), actual.data());
      const double limit = 0.05;
      const std::string what =
          std::string(core::name_of(dtype)) + (strange ? " with strange values" : "");
      const Distance ours = cuda_->distance(device(0, bytes), dtype, truth, limit);
      expect_same(ours, host_->distance(host(0, bytes), dtype, host_truth, limit), what);
      EXPECT_EQ(ours.worst, 1234) << what;
      EXPECT_EQ(ours.bad, strange ? 3 : 1) << what;
      const Distance again = cuda_->distance(device(0, bytes), dtype, truth, limit);
      EXPECT_EQ(std::memcmp(&again.rms, &ours.rms, 8), 0) << "the sum has a fixed order";
    }
}

TEST_F(CudaTensorOpsTest, ComparesIntegersExactly) {
  constexpr std::uint64_t elements = 10'001, expected_at = 16 << 20;
  for (const DType dtype : {DType::i64, DType::i32, DType::i8, DType::u8}) {
    const std::uint64_t bytes = elements * core::size_of(dtype);
    const DrawRequest request{
        .dtype = DType::i64, .kind = core::DrawKind::integers, .low = 0, .high = 120};
    cuda_->draw(device(expected_at, 8 * elements), request, 4);
    host_->draw(host(expected_at, 8 * elements), request, 4);
    cuda_->round_to(device(expected_at, 8 * elements), device(0, bytes), dtype);
    EXPECT_EQ(cuda_->distance(device(0, bytes), dtype, device(expected_at, 8 * elements), 0).bad,
              0);
    auto actual = contents<unsigned char>(*cuda_, device(0, bytes));
    actual[777 * core::size_of(dtype)] ^= 1;
    cuda_->write(device(0, bytes), actual.data());
    host_->write(host(0, bytes), actual.data());
    const Distance ours =
        cuda_->distance(device(0, bytes), dtype, device(expected_at, 8 * elements), 0);
    expect_same(ours, host_->distance(host(0, bytes), dtype, host(expected_at, 8 * elements), 0),
                std::string(core::name_of(dtype)));
    EXPECT_EQ(ours.first_bad, 777);
  }
}

TEST_F(CudaTensorOpsTest, AnOutputThatShouldBeZeroHasNoScale) {
  const std::vector<double> zeros(1000, 0.0);
  std::vector<float> actual(1000, 0.0f);
  cuda_->write(device(1 << 20, 8000), zeros.data());
  cuda_->write(device(0, 4000), actual.data());
  EXPECT_EQ(cuda_->distance(device(0, 4000), DType::f32, device(1 << 20, 8000), 1e-3).bad, 0);
  actual[3] = 1;
  cuda_->write(device(0, 4000), actual.data());
  const Distance distance =
      cuda_->distance(device(0, 4000), DType::f32, device(1 << 20, 8000), 1e-3);
  EXPECT_EQ(distance.bad, 1);
  EXPECT_EQ(distance.first_bad, 3);
}

TEST_F(CudaTensorOpsTest, RoundsAsTheHostDoes) {
  constexpr std::uint64_t elements = 100'001, to = 16 << 20;
  host_->draw(host(0, 8 * elements),
              {.dtype = DType::f64, .b = 300, .variant = core::Variant::heavy}, 8);
  auto values = contents<double>(*host_, host(0, 8 * elements));
  values[0] = 1e-8, values[1] = 70000, values[2] = 65519.999, values[3] = 65520, values[4] = 3e38,
  values[5] = 1e39, values[6] = -6.1e-5;
  values[7] = 1.00048828125, values[8] = 1.00048828125000022, values[9] = 1.00390625,
  values[10] = 1.00390625000000022, values[11] = 1e-45;
  cuda_->write(device(0, 8 * elements), values.data());
  host_->write(host(0, 8 * elements), values.data());
  for (const DType dtype : floats) {
    const std::uint64_t bytes = elements * core::size_of(dtype);
    cuda_->round_to(device(0, 8 * elements), device(to, bytes), dtype);
    host_->round_to(host(0, 8 * elements), host(to, bytes), dtype);
    EXPECT_EQ(contents<unsigned char>(*cuda_, device(to, bytes)),
              contents<unsigned char>(*host_, host(to, bytes)))
        << core::name_of(dtype);
  }
}

TEST_F(CudaTensorOpsTest, KeepsBlocksApartAndGivesThemBack) {
  const std::uint64_t before = cuda_->free_bytes();
  const Block block = cuda_->allocate(100 << 20);
  EXPECT_GE(block.bytes, 100u << 20);
  EXPECT_LT(cuda_->free_bytes(), before);
  const int value = 5;
  EXPECT_THROW(cuda_->write({block.id, block.bytes - 2, 4}, &value), base::Error) << "past the end";
  cuda_->release(block.id);
  EXPECT_NEAR(static_cast<double>(cuda_->free_bytes()), static_cast<double>(before), 32 << 20);
  EXPECT_THROW(cuda_->write({block.id, 0, 4}, &value), base::Error) << "gone";
  EXPECT_THROW(cuda_->allocate(std::uint64_t{1} << 50), base::Error) << "more than there is";
}

// For people: run with --gtest_also_run_disabled_tests.
TEST_F(CudaTensorOpsTest, DISABLED_TellsHowLongItsWorkTakes) {
  const Block input = cuda_->allocate(64 << 20), output = cuda_->allocate(64 << 20),
              expected = cuda_->allocate(128 << 20);
  const Span in{input.id, 0, 64 << 20}, out{output.id, 0, 64 << 20},
      truth{expected.id, 0, 128 << 20};
  const auto tell = [&](const char* what, auto work) {
    constexpr int rounds = 20;
    work();
    cuda_->finish();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < rounds; ++i) work();
    cuda_->finish();
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    std::printf("%-40s %8.3f ms\n", what, time.count() / rounds);
  };
  tell("draw 64 MiB of normal f32", [&] { cuda_->draw(in, {}, 1); });
  tell("draw 64 MiB of normal bf16", [&] { cuda_->draw(in, {.dtype = DType::bf16}, 1); });
  tell("draw 128 MiB of normal f64", [&] { cuda_->draw(truth, {.dtype = DType::f64}, 1); });
  tell("copy 64 MiB", [&] { cuda_->copy(in, out); });
  tell("poison 64 MiB", [&] { cuda_->poison(out, DType::f32, 1); });
  tell("find_change in 64 MiB", [&] { cuda_->find_change(out, 1); });
  tell("find_change in 4 KiB", [&] { cuda_->find_change({output.id, 0, 4096}, 1); });
  tell("fingerprint of 64 MiB", [&] { cuda_->fingerprint(in, 1); });
  tell("round 128 MiB of f64 to 64 MiB of f32", [&] { cuda_->round_to(truth, out, DType::f32); });
  tell("distance of 64 MiB of f32 from f64",
       [&] { cuda_->distance(out, DType::f32, truth, 1e-5); });
  for (const Block& block : {input, output, expected}) cuda_->release(block.id);
}

}  // namespace
}  // namespace hone::device
