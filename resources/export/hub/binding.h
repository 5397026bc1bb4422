#pragma once
#include <torch/torch.h>

#include <tuple>

@cpp_type@ @function@_tensors(@cpp_parameters@);
