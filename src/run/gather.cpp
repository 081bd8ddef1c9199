#include "run/gather.hpp"

#include <cstdlib>
#include <cstring>

#include "run/problem.hpp"

namespace onefold::detail {
namespace {

/// An element that is copied as it is.
template <int Bytes>
struct element_of_size {
  static constexpr std::int64_t bytes(std::int64_t) { return Bytes; }
  static void copy(char* to, const char* from, std::int64_t) { std::memcpy(to, from, Bytes); }
};
struct any_element {
  static std::int64_t bytes(std::int64_t size) { return size; }
  static void copy(char* to, const char* from, std::int64_t size) {
    std::memcpy(to, from, static_cast<std::size_t>(size));
  }
};

/// Calls copy(place, offset) for each element that is meant: its place among the neighbors, and where it lies.
template <class Copy>
void each_place(const scattered& which, const Copy& copy) {
  const problem& p = *which.shape;
  const std::int64_t pitch = which.pitch ? which.pitch : which.n;
  odometer at(p.reduced, p.reduced_axes);
  at.seek(which.first);
  // Neighboring outputs that share cache lines are copied together.
  const std::int64_t along = p.reduced_axes > 0 ? p.reduced[p.reduced_axes - 1].stride : 1;
  if (which.outputs > 1 && std::abs(which.across) < std::abs(along)) {
    if (p.reduced_axes == 1) {
      // Several elements of an output at once, which go to one cache line.
      constexpr std::int64_t together = 8;
      const auto copy_rows = [&](std::int64_t i, std::int64_t rows) {
        const std::int64_t offset = (which.first + i) * along;
        for (std::int64_t o = 0; o < which.outputs; ++o)
          for (std::int64_t k = 0; k < rows; ++k) copy(o * pitch + i + k, offset + o * which.across + k * along);
      };
      std::int64_t i = 0;
      for (; i + together <= which.n; i += together) copy_rows(i, together);
      copy_rows(i, which.n - i);
      return;
    }
    for (std::int64_t i = 0; i < which.n; ++i, at.next()) {
      const std::int64_t offset = at.offset();
      for (std::int64_t o = 0; o < which.outputs; ++o) copy(o * pitch + i, offset + o * which.across);
    }
    return;
  }
  if (p.reduced_axes == 1) {  // needs no odometer
    for (std::int64_t o = 0; o < which.outputs; ++o)
      for (std::int64_t i = 0; i < which.n; ++i) copy(o * pitch + i, o * which.across + (which.first + i) * along);
    return;
  }
  for (std::int64_t o = 0; o < which.outputs; ++o, at.seek(which.first))
    for (std::int64_t i = 0; i < which.n; ++i, at.next()) copy(o * pitch + i, o * which.across + at.offset());
}

template <class Element>
void gather_as(const char* data, const numbers& which, std::int64_t size, char* to) {
  const std::int64_t bytes = Element::bytes(size);
  for (std::int64_t i = 0; i < which.n; ++i)
    Element::copy(to + i * bytes, data + static_cast<std::int64_t>(which.words[i] & which.mask) * bytes, size);
}

/// Calls f.operator()<Element>() for elements of a size.
template <class Function>
void with_element(std::int64_t size, const Function& f) {
  switch (size) {
    case 1:
      return f.template operator()<element_of_size<1>>();
    case 2:
      return f.template operator()<element_of_size<2>>();
    case 4:
      return f.template operator()<element_of_size<4>>();
    case 8:
      return f.template operator()<element_of_size<8>>();
    default:
      return f.template operator()<any_element>();
  }
}

}  // namespace

void gather(const void* data, const scattered& which, std::int64_t element_size, void* to) {
  with_element(element_size, [&]<class Element>() {
    const std::int64_t bytes = Element::bytes(element_size);
    each_place(which, [to = static_cast<char*>(to), data = static_cast<const char*>(data), bytes](std::int64_t place,
                                                                                                  std::int64_t offset) {
      Element::copy(to + place * bytes, data + offset * bytes, bytes);
    });
  });
}

void scatter(const void* from, const scattered& which, std::int64_t element_size, void* data) {
  with_element(element_size, [&]<class Element>() {
    const std::int64_t bytes = Element::bytes(element_size);
    each_place(which, [from = static_cast<const char*>(from), data = static_cast<char*>(data), bytes](
                          std::int64_t place, std::int64_t offset) {
      Element::copy(data + offset * bytes, from + place * bytes, bytes);
    });
  });
}

void gather(const void* data, const numbers& which, std::int64_t element_size, void* to) {
  with_element(element_size, [&]<class Element>() {
    gather_as<Element>(static_cast<const char*>(data), which, element_size, static_cast<char*>(to));
  });
}

}  // namespace onefold::detail
