#pragma once
// What passes between Hone and a compiled reference.cc: plain C data, so that nothing of either
// side's C++ library crosses the border. Everything belongs to the caller and is read or written
// during the one call only.
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { hone_abi_version = 1 };

typedef struct {
  const char* name;
  const char* dtype;  // "f32", "bf16", "i64", ...: of the task
  int64_t elements;
  void* data;  // inputs: elements of that dtype, only read; outputs: double for floating-point
               // dtypes, int64_t for integers
} hone_abi_tensor;

typedef struct {
  const char* name;
  int64_t value;
} hone_abi_size;

typedef struct {
  const char* name;
  int32_t is_integer;
  int64_t integer;  // where is_integer
  double value;     // always
} hone_abi_scalar;

typedef struct {
  int32_t version;  // hone_abi_version of the caller
  const hone_abi_size* sizes;
  int64_t size_count;
  const hone_abi_scalar* scalars;
  int64_t scalar_count;
  const hone_abi_tensor* inputs;
  int64_t input_count;
  const hone_abi_tensor* outputs;
  int64_t output_count;
  char* error;  // zero-terminated text of what went wrong; empty on success
  int64_t error_size;
} hone_abi_call;

// The one symbol a reference exports.
typedef void hone_reference_function(const hone_abi_call* call);
#define HONE_REFERENCE_SYMBOL "hone_reference_entry"

#ifdef __cplusplus
}
#endif
