@about@#pragma once
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120  // nothing newer is used
#endif
#include <CL/cl.h>

#include <cstddef>
#include <cstdint>

// Bytes of device memory that @function@ works in, between its launches, on the queue's device. 0: none is needed, and a null workspace will do.
size_t @function@_workspace_bytes(cl_command_queue queue@comma_sizes@);

// Enqueues the work on the queue (in order, or each launch after the one before it) and returns. Tensors are contiguous, row-major:
@tensors@// `workspace` is a buffer of @function@_workspace_bytes(...) bytes; two calls that may run at the same time need two. Waits for the events in `wait_list`;
// `event`, if it is not null, is the last launch's. Gives CL_INVALID_VALUE for sizes that the kernels were not written for. The kernels are built at the first
// call for a context and a device; may be called from several threads.
cl_int @function@(cl_command_queue queue, @parameters@, cl_mem workspace = nullptr, cl_uint wait_count = 0, const cl_event* wait_list = nullptr, cl_event* event = nullptr);

// What the compiler said at the last build that failed (CL_BUILD_PROGRAM_FAILURE); "" if none did.
const char* @function@_build_log();
// Gives back what was built; the next call builds again.
void @function@_release();

/* For example (see @function@_example.cpp):

   cl_int error = @function@(queue, @argument_names@@workspace_argument@);
   if (error == CL_SUCCESS) clFinish(queue);
*/
