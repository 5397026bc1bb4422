#pragma once
// What objdump prints of a CPU kernel (x86, Intel's syntax), by functions. PoCL compiles a kernel
// three times into one library; only what its work-groups run is kept. The text is of hostile
// origin. Pure; views into the text.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hone::profile {

struct CpuInstruction {
  std::uint64_t address = 0;
  std::string_view mnemonic, operands;  // without objdump's comment behind '#'
  int line = 0;  // of the OpenCL source, where objdump knows (-l); 0: not known
};
struct CpuFunction {
  std::string_view name;
  std::vector<CpuInstruction> code;
};

// The functions that one whose name ends so reaches by calls; all of them where there is none of
// that name.
std::vector<CpuFunction> read_listing(std::string_view text, std::string_view root = "_workgroup");

// ---- of one instruction
std::vector<std::string_view> operands_of(const CpuInstruction& one);
bool is_memory(std::string_view operand);
// Where a jump or a call goes, where it says so.
std::optional<std::uint64_t> target_of(const CpuInstruction& one);
// The function that is called: at that address, or of that name behind the linker's jump
// ("<name@plt>").
std::optional<std::size_t> called(const CpuInstruction& one,
                                  const std::vector<CpuFunction>& functions);
bool is_jump(const CpuInstruction& one);
bool is_call(const CpuInstruction& one);
bool is_gather(const CpuInstruction& one);  // or a scatter
// One of the math library for single numbers: of the C library, or PoCL's own (Sleef, "_cl_pow").
bool is_math(std::string_view function);
bool is_vector_math(
    std::string_view function);  // the same for vectors: "Sleef_erff16_u10", "_Z7_cl_erfDv16_f"
bool calls_math(const CpuInstruction& one);

// Floating-point arithmetic: its name without operand order and type ("fmadd", "add"), bits of its
// operands (an element's where it is scalar), bits of an element.
struct CpuArithmetic {
  std::string_view stem;
  int bits = 0, element = 0;
  bool vector = false;
};
std::optional<CpuArithmetic> arithmetic_of(const CpuInstruction& one);

}  // namespace hone::profile
