// Stands in for the header that kernel-builder generates: here the library is loaded by torch.ops.load_library.
#pragma once
#define TORCH_LIBRARY_EXPAND(NAME, MODULE) TORCH_LIBRARY(NAME, MODULE)
#define REGISTER_EXTENSION(NAME)
