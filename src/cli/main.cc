#include "cli/main.h"

namespace hone::cli {

int main(int, char**) { return 0; }

}  // namespace hone::cli
