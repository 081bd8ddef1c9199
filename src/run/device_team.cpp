#include "run/device_team.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "cpu.hpp"
#include "planner/candidates.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"
#include "run/partition.hpp"

namespace onefold::detail {
namespace {

// What a device copies from host memory at once: less keeps none of them busy.
constexpr std::int64_t least_part_bytes = 16 << 20;

// Parts are whole numbers of runs of this part of the longest ones: parts are equal within 1/64, and made of few nodes.
constexpr std::int64_t runs_per_part = 64;

/// Calls work(i), which must not throw, for each i in [0, n) and returns when all are done: the first on the calling
/// thread, each other one on a thread of its own, or also on the calling one where the system starts no more threads.
template <class Work>
void work_together(std::size_t n, const Work& work) {
  std::vector<std::jthread> threads;
  threads.reserve(n);
  std::size_t started = 1;
  try {
    for (; started < n; ++started)
      threads.emplace_back([&work, started] {
        const float_environment ieee;
        work(started);
      });
  } catch (const std::system_error&) {  // the calling thread takes the others
  }
  if (n > 0) work(0);
  for (std::size_t i = started; i < n; ++i) work(i);
}

}  // namespace

std::vector<std::int64_t> device_borders(std::int64_t pages, std::int64_t page_bytes, int parts) {
  const std::int64_t least = std::max<std::int64_t>(1, least_part_bytes / page_bytes);
  const std::int64_t used = std::clamp<std::int64_t>(pages / least, 1, parts);
  const auto run = static_cast<std::int64_t>(
      std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(1, pages / (used * runs_per_part)))));
  const std::int64_t runs = (pages + run - 1) / run;
  std::vector<std::int64_t> borders;
  borders.reserve(static_cast<std::size_t>(used) + 1);
  for (int i = 0; i < used; ++i) borders.push_back(share(runs, i, static_cast<int>(used)) * run);
  borders.push_back(pages);
  return borders;
}

device_team::device_team(const choice& c)
    : c_(c), room_(*c.recipe), total_(std::max<std::size_t>(c.recipe->state_align, alignof(std::max_align_t))) {
  for (int d = c.devices.next(); d >= 0; d = c.devices.next(d + 1)) devices_.emplace_back(c, d, c.n);
  total_.extend(c.recipe->state_size);
}

page_device& device_team::owner(int device) {
  for (page_device& d : devices_)
    if (d.device() == device) return d;
  refuse("the data is in the memory of device " + std::to_string(device) + ", which is not among the devices " +
         text_of(c_.devices) + "; add it to them, or name it alone");
}

const void* device_team::fold(const void* op, const void* data, std::int64_t n) {
  const recipe& r = *c_.recipe;
  const slice whole{data, n, 0};
  const std::int64_t pages = pages_of(r, n);
  const int where = c_.accelerator->device_of(data);
  const std::vector<std::int64_t> borders =
      where >= 0 ? std::vector<std::int64_t>{0, pages}
                 : device_borders(pages, r.page * r.element_size, static_cast<int>(devices_.size()));
  const std::size_t parts = borders.size() - 1;
  std::vector<page_device*> by;
  if (where >= 0)
    by.push_back(&owner(where));
  else
    for (std::size_t i = 0; i < parts; ++i) by.push_back(&devices_[i]);

  std::vector<std::exception_ptr> failures(parts);
  const auto fold_part = [&](std::size_t i) {
    try {
      by[i]->clear();
      by[i]->add(whole, borders[i], borders[i + 1], false);
      by[i]->start(op);
      by[i]->finish();
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  work_together(parts, fold_part);
  for (const std::exception_ptr& why : failures)
    if (why) std::rethrow_exception(why);

  kept_nodes nodes(r);
  for (const page_device* d : by)
    d->give(0, d->size(), [&](int level, std::int64_t index, const std::byte* state) {
      std::memcpy(nodes.next(), state, r.state_size);
      nodes.push(op, level, index, room_.get());
    });
  std::memcpy(total_.data(), nodes.total(op, room_.get()), r.state_size);
  return total_.data();
}

}  // namespace onefold::detail
