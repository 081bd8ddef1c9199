// What the library finds out once, and again where the system was short of descriptors or memory when it looked.
#pragma once

#include <atomic>
#include <cerrno>
#include <initializer_list>
#include <memory>

namespace onefold::detail {

/// How often a call failed for a reason that passes; of all threads, so that another thread's makes one look again.
inline std::atomic<unsigned> shortages = 0;

/// Notes the reason, an errno, of a call that failed. Returns whether it is one that passes.
inline bool note_failure(int reason) {
  for (const int passing : {EMFILE, ENFILE, ENOMEM, EAGAIN, EINTR})
    if (reason == passing) {
      ++shortages;
      return true;
    }
  return false;
}

/// A fact of type T. What was found without a shortage stays; all that was ever returned stays valid. Holds no lock:
/// one that another thread holds while this one forks would be the child's end.
template <class T>
class found_once {
 public:
  /// The fact, by look() where none is known for good. Equal findings of a shortage (`same`) are kept once.
  template <class Look, class Same>
  const T& get(Look look, Same same) {
    const finding* known = last_.load(std::memory_order_acquire);
    if (known && known->lasts) return known->value;
    const unsigned before = shortages;
    auto fresh = std::make_unique<finding>(finding{look(), false, nullptr});
    fresh->lasts = shortages == before;
    do {
      if (known && known->lasts) return known->value;
      for (const finding* f = fresh->lasts ? nullptr : known; f; f = f->earlier)
        if (same(f->value, fresh->value)) return f->value;
      fresh->earlier = known;
    } while (!last_.compare_exchange_weak(known, fresh.get(), std::memory_order_acq_rel, std::memory_order_acquire));
    return fresh.release()->value;
  }
  template <class Look>
  const T& get(Look look) {
    return get(look, [](const T& a, const T& b) { return a == b; });
  }

 private:
  struct finding {
    T value;
    bool lasts;
    const finding* earlier;
  };
  std::atomic<const finding*> last_ = nullptr;
};

}  // namespace onefold::detail
