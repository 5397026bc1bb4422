#pragma once
// Our side of the border to a compiled reference.cc. The declarations are the very file the
// reference is compiled with.
#include "../../resources/include/hone/reference_abi.h"
