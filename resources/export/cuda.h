@about@#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
@includes@
// Bytes of device memory that @function@ works in, between its launches. 0: none is needed, and a null pointer will do.
size_t @function@_workspace_bytes(@sizes@);

// Enqueues the work on the stream and returns. Tensors are contiguous, row-major, in device memory:
@tensors@// `workspace` points to @function@_workspace_bytes(...) bytes of device memory, aligned to 256, as cudaMalloc gives them; two calls that may run at the same
// time need two. Gives cudaErrorInvalidValue for sizes that the kernels were not written for.
cudaError_t @function@(@parameters@, void* workspace, cudaStream_t stream);

/* For example (see @function@_example.cu):

   void* workspace = nullptr;
   const size_t bytes = @function@_workspace_bytes(@size_names@);
   if (bytes > 0) cudaMalloc(&workspace, bytes);
   cudaError_t error = @function@(@argument_names@, workspace, stream);
*/
