// The library's version.
#pragma once

#define ONEFOLD_VERSION_MAJOR 0
#define ONEFOLD_VERSION_MINOR 1
#define ONEFOLD_VERSION_PATCH 0
#define ONEFOLD_VERSION "0.1.0"
