#pragma once
// The loops in which a CPU kernel's time goes, as far as its code tells without being run: the
// innermost ones with arithmetic, without the remainders of wider loops. How often each runs is not
// known, so a model weighs them. Pure.
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "profile/cpu_listing.h"
#include "profile/cpu_strides.h"

namespace hone::profile {

// One turn of a loop.
struct CpuLoop {
  std::uint64_t start = 0;  // its first address
  int depth = 0;            // 1: not inside another; 0: straight code
  double instructions = 0;
  double arithmetic = 0;  // instructions on floating-point numbers
  double bits = 0;        // that one of them works on, on average
  double loads = 0;       // from memory, constants not counted
  double elements = 1;    // that it loads, or else stores: how far a turn gets
  double chain = 0;  // cycles from a turn to the next by values that the one hands to the other
  int gathers = 0, math_calls = 0;
  bool on_stack = false;  // all that it loads: it collects the lanes of a vector
  std::pair<std::size_t, std::uint64_t>
      parent;  // function, and the first address of the loop around it
  std::map<std::string_view, double>
      kinds;  // shares of the arithmetic: a multiplication with an addition is one of each
  std::map<int, double> lines;  // of the source: instructions
  Strides strides;
};
// Of all functions, in the order of their code. A function that is called from a loop is part of
// it.
std::vector<CpuLoop> arithmetic_loops(const std::vector<CpuFunction>& functions);

// Drops loops that do the same work as a wider one (its remainder, or its way round the edges),
// that move data with hardly any arithmetic, or that add up the lanes of a vector; and copies.
std::vector<CpuLoop> without_remainders(std::vector<CpuLoop> loops);

// Cycles of a turn, were there no chain: instructions, arithmetic and loads at the rates of a usual
// core.
double throughput_cycles(const CpuLoop& loop);

// All of them as one. Loops of the same depth pass over equally many elements; an outer level is
// worth less.
struct HotLoops {
  int count = 0;
  double bits = 0;   // that an arithmetic instruction works on, weighted by the loops' instructions
  double loads = 0;  // for an arithmetic instruction
  double cycles = 0;  // for an arithmetic instruction, by the model
  double chain = 1;   // those cycles over what they were without chains
  double gathers = 0;
  double math =
      0;  // part of the instructions that calls of the math library take, were each of them 40
  double strided = 0;  // part of the accesses that go on by a row for each number
  std::map<int, double>
      lines;  // of the source: parts of the instructions; empty where lines are not known
};
std::optional<HotLoops> hot_loops(const std::vector<CpuLoop>& loops);

}  // namespace hone::profile
