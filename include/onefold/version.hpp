// The library's version. CMake reads it from here.
#pragma once

/// The version's first number.
#define ONEFOLD_VERSION_MAJOR 0
/// Its second number.
#define ONEFOLD_VERSION_MINOR 2
/// Its third number.
#define ONEFOLD_VERSION_PATCH 0

/// The day of the release, or of the last change of the version before it.
#define ONEFOLD_VERSION_DATE "2026-11-25"

/// As text: "0.2.0".
#define ONEFOLD_VERSION ONEFOLD_VERSION_TEXT(ONEFOLD_VERSION_MAJOR, ONEFOLD_VERSION_MINOR, ONEFOLD_VERSION_PATCH)
// These put the numbers in place before they are quoted.
#define ONEFOLD_VERSION_TEXT(major, minor, patch) ONEFOLD_VERSION_QUOTED(major, minor, patch)
#define ONEFOLD_VERSION_QUOTED(major, minor, patch) #major "." #minor "." #patch
