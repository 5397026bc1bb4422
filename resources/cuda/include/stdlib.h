// Stands in for the C library's header, which NVRTC does not have.
#pragma once
#include <stddef.h>
