#include "device/host_tensor_ops.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "base/error.h"
#include "core/philox.h"

namespace hone::device {
namespace {

using core::DrawKind;
using core::DType;
using core::Variant;

constexpr double inf = std::numeric_limits<double>::infinity(),
                 nan = std::numeric_limits<double>::quiet_NaN();
// Odd, and more than one thread's and one piece's share.
constexpr std::uint64_t many = 300007;

class HostTensorOpsTest : public ::testing::Test {
 protected:
  Span take(std::uint64_t bytes) { return {ops_->allocate(bytes).id, 0, bytes}; }
  std::vector<double> read(const Span& span, DType dtype) {
    std::vector<unsigned char> raw(span.bytes);
    ops_->read(span, raw.data());
    std::vector<double> values;
    for (std::uint64_t at = 0; at < span.bytes; at += core::size_of(dtype))
      values.push_back(core::load_as_double(dtype, raw.data() + at));
    return values;
  }
  std::vector<double> draw(const DrawRequest& request, std::uint64_t count = many,
                           std::uint64_t seed = 42) {
    const Span span = take(count * core::size_of(request.dtype));
    ops_->draw(span, request, seed);
    auto values = read(span, request.dtype);
    ops_->release(span.block);
    return values;
  }
  // Writes the actual values in their dtype and the truth as doubles (or i64), and compares.
  Distance compare(const std::vector<double>& actual, DType dtype, const std::vector<double>& truth,
                   double limit) {
    std::vector<unsigned char> narrow(actual.size() * core::size_of(dtype)), wide(truth.size() * 8);
    for (std::size_t i = 0; i < actual.size(); ++i)
      core::store_double(dtype, actual[i], narrow.data() + i * core::size_of(dtype));
    for (std::size_t i = 0; i < truth.size(); ++i)
      core::store_double(core::is_float(dtype) ? DType::f64 : DType::i64, truth[i],
                         wide.data() + 8 * i);
    const Span left = take(narrow.size()), right = take(wide.size());
    ops_->write(left, narrow.data());
    ops_->write(right, wide.data());
    return ops_->distance(left, dtype, right, limit);
  }
  std::unique_ptr<TensorOps> ops_ = open_host_tensor_ops();
};

struct Moments {
  double mean = 0, deviation = 0;
};
Moments moments(const std::vector<double>& values) {
  Moments result;
  for (const double value : values) result.mean += value / static_cast<double>(values.size());
  for (const double value : values)
    result.deviation +=
        (value - result.mean) * (value - result.mean) / static_cast<double>(values.size());
  result.deviation = std::sqrt(result.deviation);
  return result;
}

// ---- memory

TEST_F(HostTensorOpsTest, KeepsWhatIsWritten) {
  const Span span = take(100), other = take(100);
  const std::string text(100, 'x');
  ops_->write(span, text.data());
  ops_->copy(span, other);
  std::string back(100, ' ');
  ops_->read(other, back.data());
  EXPECT_EQ(back, text);
}

TEST_F(HostTensorOpsTest, SharesABlockByItsDescriptor) {
  const Span span = take(4096);
  base::Fd fd = ops_->export_block(span.block);
  void* seen = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  ASSERT_NE(seen, MAP_FAILED);
  std::memcpy(seen, "hello", 5);
  char back[5];
  ops_->read({span.block, 0, 5}, back);
  EXPECT_EQ(std::string(back, 5), "hello");
  ::munmap(seen, 4096);
}

TEST_F(HostTensorOpsTest, ARunnerCannotCutABlockShort) {
  base::Fd fd = ops_->export_block(take(1 << 20).block);
  EXPECT_NE(::ftruncate(fd.get(), 0), 0);
  EXPECT_NE(::ftruncate(fd.get(), 2 << 20), 0);
}

TEST_F(HostTensorOpsTest, RefusesPlacesOutsideABlockAndMoreMemoryThanThereIs) {
  const Span span = take(100);
  char byte = 0;
  EXPECT_THROW(ops_->read({span.block, std::uint64_t{1} << 20, 1}, &byte), base::Error);
  EXPECT_THROW(ops_->read({span.block, 1, ~std::uint64_t{0}}, &byte), base::Error);
  EXPECT_THROW(ops_->read({77, 0, 1}, &byte), base::Error);
  EXPECT_THROW(ops_->allocate(std::uint64_t{1} << 60), base::Error);
  EXPECT_GT(ops_->free_bytes(), 0u);
}

// ---- drawing

TEST_F(HostTensorOpsTest, ASeedGivesTheSameValuesAndAnotherOthers) {
  for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    const DrawRequest request{.dtype = dtype};
    EXPECT_EQ(draw(request, many, 1), draw(request, many, 1));
    EXPECT_NE(draw(request, 100, 1), draw(request, 100, 2));
  }
}

TEST_F(HostTensorOpsTest, AnElementDependsOnlyOnSeedAndIndex) {
  for (const DType dtype : {DType::f64, DType::f32, DType::i32, DType::i8}) {
    const DrawRequest request{.dtype = dtype,
                              .kind = core::is_float(dtype) ? DrawKind::normal : DrawKind::integers,
                              .low = -5,
                              .high = 5};
    const auto all = draw(request, many);
    for (const std::uint64_t count : {1u, 3u, 1023u, 1025u})
      EXPECT_EQ(draw(request, count), std::vector<double>(all.begin(), all.begin() + count));
  }
}

TEST_F(HostTensorOpsTest, DrawsThePublishedStream) {
  const auto values =
      draw({.dtype = DType::f32, .kind = DrawKind::uniform, .a = 0, .b = 1}, 4096, 99);
  for (const std::uint64_t i : {0u, 1u, 6u, 1024u, 4095u})
    EXPECT_EQ(values[i], (core::philox(99, core::philox_values, i / 4)[i % 4] >> 8) * 0x1p-24) << i;
}

TEST_F(HostTensorOpsTest, NormalsHaveTheirMeanAndDeviation) {
  for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    const auto [mean, deviation] = moments(draw({.dtype = dtype, .a = 2, .b = 0.5}));
    EXPECT_NEAR(mean, 2, 0.01);
    EXPECT_NEAR(deviation, 0.5, 0.01);
  }
}

TEST_F(HostTensorOpsTest, NormalsHaveTails) {
  const auto values = draw({.dtype = DType::f32});
  const auto beyond = [&](double limit) {
    return std::count_if(values.begin(), values.end(),
                         [&](double v) { return std::fabs(v) > limit; });
  };
  EXPECT_NEAR(static_cast<double>(beyond(1)) / many, 0.3173, 0.01);
  EXPECT_NEAR(static_cast<double>(beyond(3)) / many, 0.0027, 0.0005);
  EXPECT_EQ(beyond(6), 0);
}

TEST_F(HostTensorOpsTest, DoublesUseTheirWholePrecision) {
  for (const DrawKind kind : {DrawKind::normal, DrawKind::uniform}) {
    const auto values = draw({.dtype = DType::f64, .kind = kind, .a = 0, .b = 1}, 1000);
    const auto exact = std::count_if(values.begin(), values.end(), [](double v) {
      return v == static_cast<double>(static_cast<float>(v));
    });
    EXPECT_LT(exact, 10);
  }
}

TEST_F(HostTensorOpsTest, UniformsStayBelowTheirUpperEnd) {
  for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    const auto values = draw({.dtype = dtype, .kind = DrawKind::uniform, .a = 1, .b = 3});
    EXPECT_GE(*std::min_element(values.begin(), values.end()), 1) << core::name_of(dtype);
    EXPECT_LT(*std::max_element(values.begin(), values.end()), 3) << core::name_of(dtype);
    EXPECT_NEAR(moments(values).mean, 2, 0.01);
  }
}

TEST_F(HostTensorOpsTest, IntegersReachBothEndsAndNothingElse) {
  for (const DType dtype : {DType::i8, DType::u8, DType::i32, DType::i64}) {
    const std::int64_t low = dtype == DType::u8 ? 0 : -3;
    const auto values =
        draw({.dtype = dtype, .kind = DrawKind::integers, .low = low, .high = 4}, 10000);
    EXPECT_EQ(std::set<double>(values.begin(), values.end()).size(),
              static_cast<std::size_t>(4 - low + 1));
    EXPECT_EQ(*std::min_element(values.begin(), values.end()), low);
    EXPECT_EQ(*std::max_element(values.begin(), values.end()), 4);
  }
}

TEST_F(HostTensorOpsTest, IntegersMayHaveAnyRange) {
  const auto low = std::numeric_limits<std::int64_t>::min(),
             high = std::numeric_limits<std::int64_t>::max();
  EXPECT_GT(
      moments(
          draw({.dtype = DType::i64, .kind = DrawKind::integers, .low = low, .high = high}, 1000))
          .deviation,
      4e18);
  const auto wide = draw(
      {.dtype = DType::i64, .kind = DrawKind::integers, .low = 0, .high = std::int64_t{1} << 40},
      1000);
  EXPECT_GT(*std::max_element(wide.begin(), wide.end()), 0x1p39);
  EXPECT_LE(*std::max_element(wide.begin(), wide.end()), 0x1p40);
}

TEST_F(HostTensorOpsTest, VariantsChangeValuesAsDocumented) {
  for (const DType dtype : {DType::f64, DType::f32}) {
    const DrawRequest plain{.dtype = dtype, .a = 1, .b = 2};
    const auto with = [&](Variant variant) {
      DrawRequest request = plain;
      request.variant = variant;
      return draw(request);
    };
    const auto values = draw(plain), shifted = with(Variant::shifted),
               flipped = with(Variant::flipped), heavy = with(Variant::heavy),
               large = with(Variant::large);
    std::uint64_t heavier = 0;
    for (std::size_t i = 0; i < many; ++i) {
      ASSERT_NEAR(shifted[i], values[i] + 6, 1e-5);
      ASSERT_EQ(flipped[i], -values[i]);
      ASSERT_NEAR(large[i], 40 * values[i], 1e-4);
      if (heavy[i] == values[i]) continue;
      ASSERT_NEAR(heavy[i], 100 * values[i], 1e-3);
      ++heavier;
    }
    EXPECT_NEAR(static_cast<double>(heavier) / many, 0.004, 0.001);
  }
  const auto uniform = draw({.dtype = DType::f32,
                             .kind = DrawKind::uniform,
                             .a = 0,
                             .b = 2,
                             .variant = Variant::shifted});
  EXPECT_GE(*std::min_element(uniform.begin(), uniform.end()), 3);
  EXPECT_LT(*std::max_element(uniform.begin(), uniform.end()), 5);
}

// ---- garbage, poison, canaries

TEST_F(HostTensorOpsTest, FindsAChangeAtEveryPlace) {
  for (const std::uint64_t bytes :
       {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{256}, std::uint64_t{5000003}}) {
    const Span span = take(bytes);
    ops_->garbage(span, 9);
    EXPECT_EQ(ops_->find_change(span, 9), -1);
    for (const std::uint64_t at : {std::uint64_t{0}, bytes / 2, bytes - 1}) {
      unsigned char byte = 0;
      ops_->read({span.block, at, 1}, &byte);
      byte ^= 0x40;
      ops_->write({span.block, at, 1}, &byte);
      EXPECT_EQ(ops_->find_change(span, 9), static_cast<std::int64_t>(at));
      byte ^= 0x40;
      ops_->write({span.block, at, 1}, &byte);
    }
    EXPECT_NE(ops_->find_change(span, 10), -1);
  }
}

TEST_F(HostTensorOpsTest, FindsTheFirstOfSeveralChanges) {
  const Span span = take(4 << 20);
  ops_->garbage(span, 3);
  for (const std::uint64_t at : {3u << 20, 2u << 20, 100u}) {
    unsigned char byte = 0;
    ops_->read({span.block, at, 1}, &byte);
    byte = static_cast<unsigned char>(~byte);
    ops_->write({span.block, at, 1}, &byte);
    EXPECT_EQ(ops_->find_change(span, 3), static_cast<std::int64_t>(at));
  }
}

TEST_F(HostTensorOpsTest, PoisonIsRandomNanForFloatsAndRandomBytesForIntegers) {
  for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    const Span span = take(1001 * core::size_of(dtype));
    ops_->poison(span, dtype, 5);
    for (const double value : read(span, dtype))
      ASSERT_TRUE(std::isnan(value)) << core::name_of(dtype);
    const std::uint64_t first = ops_->fingerprint(span, 1);
    ops_->poison(span, dtype, 6);
    EXPECT_NE(ops_->fingerprint(span, 1), first);
  }
  const Span bytes = take(10000);
  ops_->poison(bytes, DType::u8, 5);
  const auto values = read(bytes, DType::u8);
  EXPECT_EQ(std::set<double>(values.begin(), values.end()).size(), 256u);
}

// ---- fingerprints

TEST_F(HostTensorOpsTest, AFingerprintSeesEveryByteItsPlaceAndTheKey) {
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{65}, std::uint64_t{2000003}}) {
    const Span span = take(bytes);
    ops_->garbage(span, 1);
    const std::uint64_t print = ops_->fingerprint(span, 7);
    EXPECT_EQ(ops_->fingerprint(span, 7), print);
    EXPECT_NE(ops_->fingerprint(span, 8), print);
    for (const std::uint64_t at : {std::uint64_t{0}, bytes / 3, bytes - 1}) {
      unsigned char byte = 0;
      ops_->read({span.block, at, 1}, &byte);
      byte ^= 0x80;
      ops_->write({span.block, at, 1}, &byte);
      EXPECT_NE(ops_->fingerprint(span, 7), print) << at;
      byte ^= 0x80;
      ops_->write({span.block, at, 1}, &byte);
    }
    EXPECT_EQ(ops_->fingerprint(span, 7), print);
  }
}

TEST_F(HostTensorOpsTest, AFingerprintSeesOrderLengthAndZeros) {
  const Span span = take(1 << 21);
  std::vector<std::uint64_t> words((1 << 21) / 8, 0);
  std::set<std::uint64_t> prints;
  for (const std::size_t at :
       {0u, 1u, 2u, 8u, 9u, 65536u, 131072u}) {  // the same word in another lane, step and piece
    words[at] = 5;
    ops_->write(span, words.data());
    prints.insert(ops_->fingerprint(span, 1));
    words[at] = 0;
  }
  ops_->write(span, words.data());
  for (const std::uint64_t bytes : {0u, 1u, 8u, 64u, 1u << 20})
    prints.insert(ops_->fingerprint({span.block, 0, bytes}, 1));
  EXPECT_EQ(prints.size(), 12u);
}

TEST_F(HostTensorOpsTest, ManyAtOnceAreAsEachAlone) {
  std::vector<Span> spans;
  std::vector<Garbage> garbage;
  for (std::uint64_t i = 0; i < 9; ++i) {
    spans.push_back(take(100 * i + 1));
    garbage.push_back({spans.back(), i});
    ops_->garbage(spans.back(), i % 3 == 0 ? i + 1 : i);
  }
  const auto prints = ops_->fingerprints(spans, 7);
  const auto changes = ops_->find_changes(garbage);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    EXPECT_EQ(prints[i], ops_->fingerprint(spans[i], 7));
    EXPECT_EQ(changes[i] >= 0, i % 3 == 0);
    EXPECT_EQ(changes[i], ops_->find_change(spans[i], i));
  }
  EXPECT_TRUE(ops_->fingerprints({}, 7).empty());
}

// ---- distance

TEST_F(HostTensorOpsTest, EqualValuesHaveNoDistance) {
  for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::i64, DType::i32,
                            DType::i8, DType::u8}) {
    std::vector<double> values;
    for (int i = 0; i < 1003; ++i) values.push_back(i % 100);
    const Distance distance = compare(values, dtype, values, 0);
    EXPECT_EQ(distance.max, 0) << core::name_of(dtype);
    EXPECT_EQ(distance.rms, 0);
    EXPECT_EQ(distance.bad, 0);
    EXPECT_EQ(distance.first_bad, -1);
    EXPECT_GT(distance.scale, 0);
  }
}

TEST_F(HostTensorOpsTest, ErrorsAreScaledByTheOutputAndTheElement) {
  for (const DType dtype : {DType::f64, DType::f32, DType::i32, DType::i64}) {
    // rms(t) = 5: an error of 1 on a small element counts 1/5, on the large one 1/7
    const Distance distance = compare({2, 7, 0, 8}, dtype, {1, 7, 5, 5}, 0.5);
    EXPECT_DOUBLE_EQ(distance.scale, 5);
    EXPECT_DOUBLE_EQ(distance.max, 1);
    EXPECT_EQ(distance.worst, 2);
    EXPECT_EQ(distance.bad, 2);
    EXPECT_EQ(distance.first_bad, 2);
    EXPECT_DOUBLE_EQ(distance.rms, std::sqrt((0.04 + 0 + 1 + 0.36) / 4));
    EXPECT_DOUBLE_EQ(compare({1, 8, 5, 5}, dtype, {1, 7, 5, 5}, 0.5).max, 1.0 / 7);
  }
}

TEST_F(HostTensorOpsTest, ClosenessIsTorchsOwn) {
  // |t - y| <= 0.5 * (1 + |y|): the bound grows with what was given, not with what was expected.
  const std::vector<float> given = {0, 2, -2, 4, 0, NAN};
  const std::vector<double> truth = {0.5, 3.5, -3.75, 1.5, 0.75, 1};
  const Span left = take(given.size() * 4), right = take(truth.size() * 8);
  ops_->write(left, given.data());
  ops_->write(right, truth.data());
  EXPECT_EQ(ops_->not_close(left, DType::f32, right, 0.5), 3)
      << "the third, the fifth, and what is no number";
  EXPECT_EQ(ops_->not_close(left, DType::f32, right, 1), 1);
}

TEST_F(HostTensorOpsTest, FindsTheWorstAmongMany) {
  std::vector<double> truth(many, 1.0), values = truth;
  values[200001] = 1.5;
  values[100001] = 1.25;
  values[many - 1] = 0.75;
  const Distance distance = compare(values, DType::f32, truth, 0.3);
  EXPECT_EQ(distance.worst, 200001);
  EXPECT_EQ(distance.max, 0.5);
  EXPECT_EQ(distance.first_bad, 200001);
  EXPECT_EQ(distance.bad, 1);
  const Distance strict = compare(values, DType::f32, truth, 0.1);
  EXPECT_EQ(strict.first_bad, 100001);
  EXPECT_EQ(strict.bad, 3);
  EXPECT_DOUBLE_EQ(strict.rms, distance.rms);
}

TEST_F(HostTensorOpsTest, TheDistanceIsThatOfAPlainLoop) {
  for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    const Span actual = take(many * core::size_of(dtype)), expected = take(many * 8);
    ops_->draw(actual, {.dtype = dtype}, 1);
    ops_->draw(expected, {.dtype = DType::f64}, 2);
    const auto values = read(actual, dtype), truth = read(expected, DType::f64);
    const double scale = ops_->scale(expected, dtype);
    double max = 0, squares = 0;
    for (std::size_t i = 0; i < many; ++i) {
      const double error = std::fabs(values[i] - truth[i]) / std::max(std::fabs(truth[i]), scale);
      max = std::max(max, error);
      squares += error * error;
    }
    const Distance distance = ops_->distance(actual, dtype, expected, scale, 1e9);
    EXPECT_EQ(distance.max, max) << core::name_of(dtype);
    EXPECT_NEAR(distance.rms, std::sqrt(squares / many), 1e-12);
    EXPECT_EQ(distance.bad, 0);
    EXPECT_EQ(distance.scale, scale);
  }
}

TEST_F(HostTensorOpsTest, NonFiniteValuesMustMatchInKind) {
  const std::vector<double> truth = {1, inf, -inf, nan, 1, 1};
  const Distance same = compare(truth, DType::f32, truth, 0);
  EXPECT_EQ(same.bad, 0);
  EXPECT_EQ(same.max, 0);
  EXPECT_DOUBLE_EQ(same.scale, 1) << "non-finite truth is no part of the scale";
  const Distance other = compare({nan, -inf, nan, 1, inf, 1}, DType::f32, truth, 1e9);
  EXPECT_EQ(other.nonfinite, 5);
  EXPECT_EQ(other.bad, 5);
  EXPECT_EQ(other.first_bad, 0);
  EXPECT_EQ(other.max, 0) << "of the finite ones";
  EXPECT_EQ(compare({inf, 1}, DType::f16, {1, 1}, inf).bad, 1) << "no limit lets infinity pass";
}

TEST_F(HostTensorOpsTest, AnOutputThatShouldBeZeroIsWrongWithAnythingElse) {
  EXPECT_EQ(compare({0, 0, -0.0}, DType::f32, {0, 0, 0}, 0).bad, 0);
  const Distance distance = compare({0, 1e-20, 0}, DType::f32, {0, 0, 0}, 1e-3);
  EXPECT_EQ(distance.bad, 1);
  EXPECT_EQ(distance.worst, 1);
}

TEST_F(HostTensorOpsTest, LargeIntegersAreComparedExactly) {
  const std::int64_t big = (std::int64_t{1} << 60) + 1;
  const Span actual = take(8), expected = take(8);
  const std::int64_t near = big + 1, lowest = std::numeric_limits<std::int64_t>::min(),
                     highest = std::numeric_limits<std::int64_t>::max();
  ops_->write(actual, &near);
  ops_->write(expected, &big);
  EXPECT_EQ(ops_->distance(actual, DType::i64, expected, 0).bad, 1);
  ops_->write(actual, &lowest);
  ops_->write(expected, &highest);
  EXPECT_NEAR(ops_->distance(actual, DType::i64, expected, 0).max, 2, 1e-9);
}

// ---- rounding

TEST_F(HostTensorOpsTest, RoundsLikeTheScalarConversions) {
  std::vector<double> values = {0,
                                -0.0,
                                1,
                                -1,
                                65504,
                                65519.99,
                                65520,
                                65536,
                                1e-8,
                                6e-8,
                                0x1p-24,
                                0x1p-25,
                                0x1.8p-25,
                                5.96e-8,
                                0x1p-14,
                                1e300,
                                -1e300,
                                inf,
                                -inf,
                                1 + 0x1p-11,
                                1 + 0x1p-11 + 0x1p-40,
                                1 + 3 * 0x1p-11,
                                1 + 0x1p-8,
                                1 + 0x1p-8 + 0x1p-50,
                                3.4e38,
                                3.3895e38,
                                1e-40,
                                1e-46,
                                0x1p-133,
                                0x1p-134};
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const auto words = core::philox(3, 0, i);
    values.push_back(std::ldexp((words[0] + words[1] * 0x1p-32) * 0x1p-32 - 0.5,
                                static_cast<int>(words[2] % 300) - 150));
  }
  const Span wide = take(values.size() * 8);
  ops_->write(wide, values.data());
  for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    const Span narrow = take(values.size() * core::size_of(dtype));
    ops_->round_to(wide, narrow, dtype);
    std::vector<unsigned char> raw(narrow.bytes), one(8);
    ops_->read(narrow, raw.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
      core::store_double(dtype, values[i], one.data());
      ASSERT_EQ(
          std::memcmp(one.data(), raw.data() + i * core::size_of(dtype), core::size_of(dtype)), 0)
          << core::name_of(dtype) << " of " << values[i];
    }
  }
}

TEST_F(HostTensorOpsTest, ReadsEveryHalfLikeTheScalarConversion) {
  std::vector<std::uint16_t> halves(65536);
  std::vector<double> truth(65536);
  for (const DType dtype : {DType::f16, DType::bf16}) {
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
      halves[bits] = static_cast<std::uint16_t>(bits);
      truth[bits] = core::load_as_double(dtype, &halves[bits]);
    }
    const Span actual = take(65536 * 2), expected = take(65536 * 8);
    ops_->write(actual, halves.data());
    ops_->write(expected, truth.data());
    const Distance distance = ops_->distance(actual, dtype, expected, 0);
    EXPECT_EQ(distance.bad, 0);
    EXPECT_EQ(distance.max, 0);
  }
}

TEST_F(HostTensorOpsTest, RoundsIntegersBySaturation) {
  const std::vector<std::int64_t> values = {0, 100, -100, 300, -300};
  const Span wide = take(values.size() * 8), narrow = take(values.size());
  ops_->write(wide, values.data());
  ops_->round_to(wide, narrow, DType::i8);
  EXPECT_EQ(read(narrow, DType::i8), (std::vector<double>{0, 100, -100, 127, -128}));
}

}  // namespace
}  // namespace hone::device
