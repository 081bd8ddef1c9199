// What this machine's parts cost: the figures that automatic dispatch rests on. docs/planner.md explains them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "onefold/options.hpp"

namespace onefold {

/// How much arithmetic an operation does for each element; within a class the element's size decides.
enum class cost_class : std::uint8_t {
  light,        ///< a few instructions: counts, sums and products of small integers, sums and extremes of f16 and bf16
                ///< at native, sums of squares of 8-byte elements
  search,       ///< argmin and argmax of floating-point elements
  moments,      ///< moments, variances, deviations at every accuracy, squares at exact; user-defined operations
  wide,         ///< accuracy wide, means of integers, sums in f64 of the squares of shorter elements
  compensated,  ///< accuracy kahan
  exact,        ///< sums and means of floating-point elements at accuracy exact
  stream,       ///< less than reading takes: sums and extremes of f32 and f64, extremes and bits of integers
};
/// How many classes have a price; stream, the last one, has none.
inline constexpr int priced_classes = 6;

/// The name of a class; "?" for a value outside the enumeration.
ONEFOLD_API const char* name_of(cost_class c);

/// A machine in figures. Seconds, bytes and elements a second.
struct machine_profile {
  std::string cpu;                           ///< the processor's name
  int processors = 1;                        ///< how many of them this process may use
  std::int64_t l2 = std::int64_t{1} << 20;   ///< bytes of a second-level cache
  std::int64_t l3 = std::int64_t{32} << 20;  ///< bytes of the third-level cache

  /// Bytes a second that a sum reads.
  struct rates {
    double l2;      ///< of data in the second-level caches of the threads
    double l3;      ///< of data in the third-level cache
    double memory;  ///< of data that no cache holds
  };
  rates one_thread{};  ///< what one thread reads

  /// Elements a second of one thread where memory does not hold it up, of classes and element sizes 1, 2, 4, 8.
  std::array<std::array<double, 4>, priced_classes> elements{};

  /// Seconds to start threads and to wait for them.
  struct start {
    double hot;   ///< call after call
    double cold;  ///< after a pause
  };
  /// The threads of a backend: what it takes to start them, and what they read together. Each backend has its own
  /// rates, since not each gives a thread the same part of the data in the next call, which its cache still holds.
  struct team {
    start two;    ///< to start two threads
    start all;    ///< as many as there are processors
    rates reads;  ///< this many threads together
  };
  std::array<team, backend_count> teams{};  ///< of each backend; zeros where it has no threads of its own
  /// The threads of a backend.
  team& of(backend b) { return teams[static_cast<std::size_t>(b)]; }
  /// The threads of a backend.
  const team& of(backend b) const { return teams[static_cast<std::size_t>(b)]; }

  /// A GPU, and the way to it.
  struct gpu {
    std::string name;      ///< the device
    double launch;         ///< seconds of a call for data in its memory, besides reading it
    double transfer;       ///< seconds of a call for host memory, besides moving it
    double from_memory;    ///< bytes a second of its own memory
    double from_pinned;    ///< of pinned host memory
    double from_pageable;  ///< of other host memory
  };
  std::optional<gpu> device;  ///< nothing: not measured

  /// When the figures were measured, and by what.
  struct origin {
    std::string date;        ///< UTC, as ISO 8601 writes it; empty: they are built in
    std::string version;     ///< of the library
    double load = 0;         ///< the system's load average over a minute
    bool disturbed = false;  ///< the machine was busy, and they were stored all the same
  };
  origin measured;  ///< where the figures come from
};

/// The figures that this process plans with, and where they come from.
struct used_profile {
  machine_profile figures;  ///< what it plans with
  std::string source;       ///< a file; or "built in" with the reason why no file is used
  std::string age;          ///< of a file's figures: the date, how long ago that was, by which version, at which load
  std::string warning;      ///< of a file: why it should be measured again; empty where nothing speaks against it
};

/// The profile of this process. The first call reads it: the file that the environment variable ONEFOLD_PROFILE names
/// ("none": no file), else profile_path(). A file that cannot be read, is damaged, of another version of the format or
/// of another machine is not used. One that cannot be read for lack of descriptors or memory is tried again in the next
/// call.
ONEFOLD_API const used_profile& profile();

/// Built-in defaults for a machine that was not calibrated: from the number of processors and the sizes of the caches.
ONEFOLD_API machine_profile builtin_profile();

/// Where `onefold calibrate` stores a profile and profile() looks for it: onefold/profile.json in XDG_CACHE_HOME, else
/// in ~/.cache. Empty where the environment names neither.
ONEFOLD_API std::string profile_path();

/// The text of a profile's file.
ONEFOLD_API std::string to_json(const machine_profile& p);

}  // namespace onefold
