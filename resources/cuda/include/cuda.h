// Stands in for the driver's header, which is host code. Device code needs one type of it: the tensor map, passed by value as
// `const __grid_constant__ CUtensorMap`.
#pragma once
#include <stdint.h>
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef struct CUtensorMap_st {
  alignas(64) cuuint64_t opaque[16];
} CUtensorMap;
