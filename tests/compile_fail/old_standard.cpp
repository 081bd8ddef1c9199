// A compiler that is told to take C++17.
// flags: -std=c++17 -Wfatal-errors
// says: onefold needs C++20: compile with -std=c++20 or newer
#include "onefold/onefold.hpp"

int f() { return 0; }
