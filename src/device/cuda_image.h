#pragma once
// What a built CUDA image (cubin) holds that device code may not have, and what ptxas said about
// its kernels. Pure functions over bytes. Const tables, sinf's own tables and the constants of
// headers all lie in the same writable section as real globals do, so the PTX beside the cubin is
// asked which of them the code refers to.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hone::device::cuda {

// Sentences like "a writable global 'counter' ...". Empty: nothing found. An image that cannot be
// read is reported as such, never passed.
std::vector<std::string> forbidden_things(std::string_view cubin, std::string_view ptx);

// Whether the image carries data of its own (globals or __constant__). Such data is real memory
// that device code could write by its address, so the device loads the image anew before each call;
// there it can hold no state.
bool has_module_data(std::string_view cubin_or_ptx);

// One kernel's figures from the log of --ptxas-options=-v.
struct PtxasFigures {
  std::string kernel;
  std::int64_t registers = -1, spill_stores = 0, spill_loads = 0, stack_bytes = 0, shared_bytes = 0;
};
std::vector<PtxasFigures> ptxas_figures(std::string_view log);

}  // namespace hone::device::cuda
