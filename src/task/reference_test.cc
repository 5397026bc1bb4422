// Compiles references the way the judge does, and calls them over the C border.
#include <dlfcn.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <fstream>

#include "base/files.h"
#include "base/resources.h"
#include "core/dtype.h"
#include "task/reference_abi.h"

extern char** environ;

namespace hone::task {
namespace {

using testing::HasSubstr;

// A reference in a shared object. g++ is what builds Hone itself, so it is there.
class Compiled {
 public:
  Compiled(const std::string& text, const std::string& real) {
    const auto folder = folder_.path();
    base::make_folder(folder / "hone");
    for (const char* name : {"reference.h", "reference_abi.h"})
      std::ofstream(folder / "hone" / name) << base::resource(std::string("include/hone/") + name);
    std::ofstream(folder / "reference.cc") << text;
    const std::string library = folder / "reference.so", source = folder / "reference.cc",
                      include = "-I" + folder.string(), define = "-DHONE_REAL=" + real;
    std::array<const char*, 13> argv = {
        "g++",   "-O3",           "-std=c++20",  "-fopenmp",      "-shared",
        "-fPIC", "-Wall",         "-Werror",     include.c_str(), define.c_str(),
        "-o",    library.c_str(), source.c_str()};
    std::vector<char*> arguments;
    for (const char* word : argv) arguments.push_back(const_cast<char*>(word));
    arguments.push_back(nullptr);
    pid_t child = 0;
    int status = -1;
    if (::posix_spawnp(&child, "g++", nullptr, nullptr, arguments.data(), environ) == 0)
      ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << "the reference does not compile";
    handle_ = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr)
      entry_ = reinterpret_cast<hone_reference_function*>(::dlsym(handle_, HONE_REFERENCE_SYMBOL));
    EXPECT_NE(entry_, nullptr);
  }

  // Returns the error text.
  std::string call(hone_abi_call abi) const {
    std::array<char, 128> error{};
    abi.version = abi.version == 0 ? static_cast<int>(hone_abi_version) : abi.version;
    abi.error = error.data();
    abi.error_size = error.size();
    if (entry_ != nullptr) entry_(&abi);
    return error.data();
  }

 private:
  base::TemporaryFolder folder_{"hone-reference-test"};
  void* handle_ = nullptr;
  hone_reference_function* entry_ = nullptr;
};

std::string reference(const std::string& body) {
  return "#include <hone/reference.h>\nHONE_REFERENCE(call) {\n" + body + "\n}\n";
}

// Reads every dtype, and writes all it read, tenfold or plus one.
constexpr const char* everything = R"(
  auto& y = call.output("y");
  auto& c = call.output_integers("c");
  std::size_t at = 0;
  for (const char* name : {"f64", "f32", "f16", "bf16"})
    for (const real v : call.input(name)) y[at++] = v * call.scalar("ten") + static_cast<real>(call.size("zero"));
  at = 0;
  for (const char* name : {"i64", "i32", "i8", "u8"})
    for (const std::int64_t v : call.integers(name)) c[at++] = v + call.size("one");
)";

template <typename Check>
void with_every_dtype(const Compiled& reference, Check check) {
  const std::vector<double> values = {
      0.5, -2, 1.0 / 3, 65504, 6.103515625e-05, 5.960464477539063e-08};
  const std::vector<std::int64_t> whole = {0, 1, -5, 127, 200};
  std::vector<std::vector<unsigned char>> storage;
  std::vector<hone_abi_tensor> inputs;
  std::vector<double> floats;
  std::vector<std::int64_t> integers;
  for (const auto dtype : {core::DType::f64, core::DType::f32, core::DType::f16, core::DType::bf16,
                           core::DType::i64, core::DType::i32, core::DType::i8, core::DType::u8}) {
    const std::size_t count = core::is_float(dtype) ? values.size() : whole.size(),
                      size = core::size_of(dtype);
    auto& bytes = storage.emplace_back(count * size);
    for (std::size_t i = 0; i < count; ++i) {
      if (core::is_float(dtype))
        core::store_double(dtype, values[i], &bytes[i * size]);
      else
        core::store_integer(dtype, whole[i], &bytes[i * size]);
      if (core::is_float(dtype))
        floats.push_back(core::load_as_double(dtype, &bytes[i * size]));
      else
        integers.push_back(core::load_as_integer(dtype, &bytes[i * size]));
    }
    inputs.push_back({core::name_of(dtype).data(), core::name_of(dtype).data(),
                      static_cast<std::int64_t>(count), bytes.data()});
  }
  std::vector<double> y(floats.size(), NAN);
  std::vector<std::int64_t> c(integers.size(), -1);
  const hone_abi_tensor outputs[] = {{"y", "bf16", static_cast<std::int64_t>(y.size()), y.data()},
                                     {"c", "u8", static_cast<std::int64_t>(c.size()), c.data()}};
  const hone_abi_size sizes[] = {{"zero", 0}};
  const hone_abi_scalar scalars[] = {{"ten", 0, 0, 10}, {"one", 1, 1, 1}};
  EXPECT_EQ(reference.call({0, sizes, 1, scalars, 2, inputs.data(),
                            static_cast<std::int64_t>(inputs.size()), outputs, 2, nullptr, 0}),
            "");
  for (std::size_t i = 0; i < y.size(); ++i) check(y[i], floats[i]);
  for (std::size_t i = 0; i < c.size(); ++i) EXPECT_EQ(c[i], integers[i] + 1);
}

TEST(Reference, ReadsAndWritesEveryDtypeInDoublePrecision) {
  with_every_dtype(Compiled(reference(everything), "double"),
                   [](double actual, double input) { EXPECT_EQ(actual, input * 10); });
}

TEST(Reference, ComputesInSinglePrecisionWhereAsked) {
  with_every_dtype(Compiled(reference(everything), "float"), [](double actual, double input) {
    EXPECT_EQ(actual, static_cast<float>(input) * 10.0f);
  });
}

TEST(Reference, SaysWhatWentWrongInsteadOfThrowing) {
  const Compiled failing(reference(R"(
    switch (call.size("which")) {
      case 0: call.input("nothing"); break;
      case 1: call.input("idx"); break;
      case 2: call.integers("x"); break;
      case 3: call.output("y").resize(5); break;
      case 4: break;
      case 5: throw 7;
      case 6: throw std::runtime_error(std::string(1000, 'x'));
      case 7: call.scalar("eps"); break;
      case 8: call.output_integers("y"); break;
      case 9: call.output("y")[1] = 3; break;
      default: call.size("rows");
    }
  )"),
                         "double");
  float x[2] = {1, 2};
  std::int32_t idx[2] = {1, 2};
  double y[2] = {NAN, NAN};
  const hone_abi_tensor inputs[] = {{"x", "f32", 2, x}, {"idx", "i32", 2, idx}},
                        outputs[] = {{"y", "f32", 2, y}};
  const auto call = [&](std::int64_t which, int version = 0) {
    const hone_abi_size sizes[] = {{"which", which}};
    return failing.call({version, sizes, 1, nullptr, 0, inputs, 2, outputs, 1, nullptr, 0});
  };
  EXPECT_EQ(call(0), "the task has no input 'nothing'");
  EXPECT_EQ(call(1), "'idx' is i32: use call.integers(\"idx\")");
  EXPECT_EQ(call(2), "'x' is f32: use call.input(\"x\")");
  EXPECT_EQ(call(3), "the output 'y' was left with 5 elements; it has 2");
  EXPECT_EQ(call(4), "the output 'y' was not filled: call.output(\"y\")");
  EXPECT_EQ(call(5), "an exception that is no std::exception");
  EXPECT_EQ(call(6), std::string(127, 'x'));
  EXPECT_EQ(call(7), "the task has no scalar 'eps'");
  EXPECT_EQ(call(8), "'y' is f32: use call.output(\"y\")");
  EXPECT_EQ(call(10), "the task has no size 'rows'");
  EXPECT_THAT(call(9, 99), HasSubstr("another version"));
  EXPECT_EQ(call(9), "");
  EXPECT_EQ(y[0], 0);
  EXPECT_EQ(y[1], 3);
}

TEST(Reference, OfTheSkeletonIsRight) {
  const Compiled skeleton(base::resource("task/skeleton/reference.cc"), "double");
  float x[3] = {1, -2, 0};
  double y[3] = {NAN, NAN, NAN};
  const hone_abi_tensor inputs[] = {{"x", "f32", 3, x}}, outputs[] = {{"y", "f32", 3, y}};
  const hone_abi_size sizes[] = {{"n", 3}};
  const hone_abi_scalar scalars[] = {{"a", 0, 0, 3}, {"b", 0, 0, 0.5}};
  EXPECT_EQ(skeleton.call({0, sizes, 1, scalars, 2, inputs, 1, outputs, 1, nullptr, 0}), "");
  EXPECT_THAT(y, testing::ElementsAre(3.5, -5.5, 0.5));
}

}  // namespace
}  // namespace hone::task
