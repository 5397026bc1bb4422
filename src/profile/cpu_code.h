#pragma once
// A CPU kernel's machine code as objdump prints it: how much of its floating-point arithmetic is on
// vectors, in all and in the loops where its time goes. The text is of hostile origin. Pure.
#include <map>
#include <optional>
#include <string_view>

#include "profile/cpu_loops.h"

namespace hone::profile {

struct CpuCode {
  int instructions = 0;
  double scalar = 0,
         vector = 0;   // floating-point operations: an instruction on eight lanes counts eight
  int widest = 0;      // bits of the widest vector in that arithmetic; 0: there is none
  int gathers = 0;     // and scatters
  int math_calls = 0;  // of the math library, in loops
  std::optional<HotLoops> hot;  // absent: no arithmetic
};
CpuCode read_cpu_code(std::string_view text);
// The source's lines that the inner loops came from (HotLoops::lines). PoCL's compiler keeps lines
// only in its first form of the kernel, which work-groups do not run and which has the same loops.
std::map<int, double> read_cpu_lines(std::string_view text, std::string_view kernel);

// Bits of the widest vector registers, from /proc/cpuinfo's text; 0: not known.
int vector_bits(std::string_view cpuinfo);

}  // namespace hone::profile
