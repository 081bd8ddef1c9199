// Modules for the tests of loading: one that works, and some that must be refused with a reason.
#include "onefold/backend.hpp"

namespace {

const char* why_not() {
#ifdef ONEFOLD_FAKE_declines
  return "this module never runs";
#else
  return nullptr;
#endif
}
int threads(int wanted) { return wanted ? wanted : 2; }
void* open(int) { return nullptr; }
void close(void*) {}
void run(void*, int pieces, void (*work)(void*, int), void* context) {
  for (int i = 0; i < pieces; ++i) work(context, i);
}

#ifdef ONEFOLD_FAKE_other_size
constexpr std::uint32_t size = sizeof(onefold::scheduler) - 8;
#else
constexpr std::uint32_t size = sizeof(onefold::scheduler);
#endif

[[maybe_unused]] constinit const onefold::scheduler fake = {size,    "openmp", "a fake module", why_not,
                                                            threads, open,     close,           run};

}  // namespace

#if defined(ONEFOLD_FAKE_other_abi)
extern "C" __attribute__((visibility("default"))) const onefold::scheduler* onefold_openmp_backend_abi999() {
  return &fake;
}
#elif defined(ONEFOLD_FAKE_no_record)
ONEFOLD_EXPORT_BACKEND(openmp) { return nullptr; }
#else
ONEFOLD_EXPORT_BACKEND(openmp) { return &fake; }
#endif
