// The kernels of the CUDA backend that move selected elements together, run on the CPU: of outputs of every length, and
// of segments with any offsets, they leave the selected elements in their order, and find where each output begins and
// which element an index means.
#include "select.cuh"
#include "emulation.hpp"

#include <algorithm>
#include <vector>

#include "support/catch.hpp"
#include "support/data.hpp"

namespace {

using namespace onefold;
using cuda::selection_arguments;

/// Outputs of a list: where each begins, and the end; what is selected of the list.
struct made_up {
  std::vector<std::int64_t> at;
  std::vector<unsigned char> mask;
};

/// What the kernels are to find.
struct wanted {
  std::vector<float> elements;
  std::vector<std::int64_t> offsets, positions;  ///< of each selected element, in its output
};
wanted wanted_of(const made_up& m, const std::vector<float>& x) {
  wanted w;
  std::int64_t output = -1;
  for (std::size_t i = 0; i <= x.size(); ++i) {
    while (output + 1 < static_cast<std::int64_t>(m.at.size()) &&
           m.at[static_cast<std::size_t>(output + 1)] == static_cast<std::int64_t>(i)) {
      w.offsets.push_back(static_cast<std::int64_t>(w.elements.size()));
      ++output;
    }
    if (i == x.size() || m.mask[i] == 0) continue;
    w.elements.push_back(x[i]);
    w.positions.push_back(output < 0 ? -1 : static_cast<std::int64_t>(i) - m.at[static_cast<std::size_t>(output)]);
  }
  return w;
}

/// Runs the kernels, and compares; how many outputs were compared.
std::int64_t compare(const made_up& m, const std::vector<float>& x, const cuda::selected_outputs& outputs,
                     std::int64_t n, mask_kind kind) {
  const auto all = static_cast<std::int64_t>(x.size()), chunks = (all + cuda::chunk - 1) / cuda::chunk;
  const wanted w = wanted_of(m, x);
  std::vector<unsigned char> bits(x.size() / 8 + 2);
  constexpr std::int64_t offset = 3;
  for (std::size_t i = 0; i < x.size(); ++i)
    bits[(i + offset) / 8] = static_cast<unsigned char>(bits[(i + offset) / 8] | (m.mask[i] != 0) << (i + offset) % 8);
  std::vector<std::int64_t> before(static_cast<std::size_t>(chunks)), offsets(m.at.size() + 1, -1);
  std::vector<float> moved(x.size() + 1, -1);
  const detail::device_axes list{1, {{n, 1}}}, rows{1, {{outputs.most, n}}};
  selection_arguments p{rows,
                        list,
                        rows,
                        list,
                        n,
                        all,
                        reinterpret_cast<const char*>(x.data()),
                        kind == mask_kind::bytes ? m.mask.data() : bits.data(),
                        kind,
                        offset,
                        0x7f800000,
                        sizeof(float),
                        outputs,
                        before.data()};
  p.outputs.offsets = offsets.data();
  const auto blocks = static_cast<unsigned>(chunks);
  emulation::run(blocks, cuda::threads, [&] { cuda::count(p); });
  emulation::run(1, 1024, [&] { cuda::add_up(before.data(), chunks); });
  emulation::run(blocks, cuda::threads,
                 [&] { cuda::move<std::uint32_t>(p, reinterpret_cast<unsigned*>(moved.data()), 1); });
  moved.resize(w.elements.size());
  CHECK(std::equal(moved.begin(), moved.end(), w.elements.begin(),
                   [](float a, float b) { return std::bit_cast<unsigned>(a) == std::bit_cast<unsigned>(b); }));
  CHECK(offsets.back() == -1);
  offsets.pop_back();
  CHECK(offsets == w.offsets);
  if (offsets != w.offsets) return 0;
  // The last selected element of each output, and some other one.
  for (const std::int64_t back : {1, 2}) {
    std::vector<std::int64_t> indices, meant;
    for (std::size_t o = 0; o + 1 < offsets.size(); ++o) {
      const std::int64_t size = offsets[o + 1] - offsets[o], index = size == 0 ? -7 : back == 1 ? size - 1 : size / 2;
      indices.push_back(index);
      meant.push_back(size == 0 ? -7 : w.positions[static_cast<std::size_t>(offsets[o] + index)]);
    }
    emulation::run(2, cuda::threads, [&] { cuda::find_indices(p, indices.data()); });
    CHECK(indices == meant);
  }
  return static_cast<std::int64_t>(offsets.size()) - 1;
}

std::vector<unsigned char> random_mask(std::size_t n, support::random_numbers& r) {
  std::vector<unsigned char> mask(n);
  const int rate = r.integer(0, 4), last = r.integer(1, 300);
  for (std::size_t i = 0; i < n; ++i)
    mask[i] = static_cast<unsigned char>(rate == 0   ? 0
                                         : rate == 1 ? r.integer(0, 200) == 0
                                         : rate == 2 ? 4 * r.integer(0, 1)
                                         : rate == 3 ? r.integer(0, 99) != 0
                                                     : i + static_cast<std::size_t>(last) >= n);
  return mask;
}

/// With NaN in place of what is not selected.
std::vector<float> elements_for(const std::vector<unsigned char>& mask, mask_kind kind) {
  std::vector<float> x(mask.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = kind == mask_kind::not_nan && mask[i] == 0 ? std::bit_cast<float>(0xffc00001u) : static_cast<float>(i);
  return x;
}

mask_kind random_kind(support::random_numbers& r) { return static_cast<mask_kind>(r.integer(0, 2)); }

}  // namespace

TEST_CASE("selected elements of rows") {
  support::random_numbers r(31);
  std::int64_t compared = 0;
  for (const std::int64_t n : {1, 2, 7, 31, 32, 33, 255, 256, 1000, 4095, 4096, 4097, 20'000})
    for (const std::int64_t count : {1, 2, 5, 130}) {
      if (n * count > 60'000) continue;
      made_up m{{}, random_mask(static_cast<std::size_t>(n * count), r)};
      for (std::int64_t o = 0; o <= count; ++o) m.at.push_back(o * n);
      const mask_kind kind = random_kind(r);
      INFO(count << " rows of " << n);
      compared += compare(m, elements_for(m.mask, kind), {nullptr, false, 0, count, nullptr, nullptr}, n, kind);
    }
  CHECK(compared > 1000);
}

TEST_CASE("selected elements of segments") {
  support::random_numbers r(32);
  std::int64_t compared = 0;
  for (int i = 0; i < 120; ++i) {
    const int kind_of_lengths = r.integer(0, 4), count = r.integer(1, kind_of_lengths == 0 ? 5000 : 900);
    made_up m{{0}, {}};
    for (int o = 0; o < count && m.at.back() < 60'000; ++o) {
      const int most = kind_of_lengths == 0   ? 3
                       : kind_of_lengths == 1 ? 40
                       : kind_of_lengths == 2 ? (r.integer(0, 30) == 0 ? 9000 : 2)
                                              : 3000;
      const bool is_empty = kind_of_lengths == 4 && r.integer(0, 2) != 0;
      m.at.push_back(m.at.back() + (is_empty ? 0 : r.integer(0, most)));
    }
    if (m.at.back() == 0) continue;
    const auto outputs = static_cast<std::int64_t>(m.at.size()) - 1;
    m.mask = random_mask(static_cast<std::size_t>(m.at.back()), r);
    // The offsets count from elsewhere; of groups, how many there are is known to the device alone.
    const std::int64_t first = r.integer(0, 1000), count_there = outputs;
    std::vector<std::int64_t> wide;
    for (const std::int64_t at : m.at) wide.push_back(at + first);
    const std::vector<std::uint32_t> narrow(wide.begin(), wide.end());
    const bool is_wide = r.integer(0, 1) == 0, is_counted = r.integer(0, 1) == 0;
    INFO(outputs << " segments of " << m.at.back() << " elements");
    const mask_kind kind = random_kind(r);
    compared += compare(m, elements_for(m.mask, kind),
                        {is_wide ? static_cast<const void*>(wide.data()) : narrow.data(), is_wide, first,
                         is_counted ? outputs + 9 : outputs, is_counted ? &count_there : nullptr, nullptr},
                        m.at.back(), kind);
  }
  CHECK(compared > 20'000);
}

TEST_CASE("offsets that are no segments lead nowhere") {
  const std::vector<unsigned char> mask(10'000, 1);
  const auto x = elements_for(mask, mask_kind::bytes);
  const std::vector<std::int64_t> at{9000, 100, -5, 20'000, 7, 4096, 1, std::int64_t{1} << 40};
  made_up m{{}, mask};
  std::vector<std::int64_t> before(3), offsets(at.size());
  std::vector<float> moved(x.size());
  const detail::device_axes list{1, {{10'000, 1}}};
  const selection_arguments p{list,
                              list,
                              list,
                              list,
                              10'000,
                              10'000,
                              reinterpret_cast<const char*>(x.data()),
                              mask.data(),
                              mask_kind::bytes,
                              0,
                              0,
                              sizeof(float),
                              {at.data(), true, 0, static_cast<std::int64_t>(at.size()) - 1, nullptr, offsets.data()},
                              before.data()};
  emulation::run(3, cuda::threads, [&] { cuda::count(p); });
  emulation::run(1, 1024, [&] { cuda::add_up(before.data(), 3); });
  emulation::run(3, cuda::threads, [&] { cuda::move<std::uint32_t>(p, reinterpret_cast<unsigned*>(moved.data()), 1); });
  for (const std::int64_t o : offsets) CHECK((o >= 0 && o <= 10'000));
  CHECK(moved == x);
}
