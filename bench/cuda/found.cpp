#include "found.hpp"

#include <iostream>

namespace bench {

findings& found() {
  static findings all;
  return all;
}

void add(const char* group, const char* op, const char* type, std::int64_t n, std::int64_t element, const char* who,
         double us, const std::string& shape) {
  found().rows.push_back({{"group", group},
                          {"op", op},
                          {"dtype", type},
                          {"n", n},
                          {"who", who},
                          {"us", us},
                          {"gb_per_s", static_cast<double>(n * element) / us / 1000}});
  if (!shape.empty()) found().rows.back()["shape"] = shape;
  std::cerr << group << ' ' << op << ' ' << type << " n=" << n << ' ' << shape << (shape.empty() ? "" : ", ") << who
            << ": " << us << " us, " << static_cast<double>(n * element) / us / 1000 << " GB/s\n";
}

}  // namespace bench
