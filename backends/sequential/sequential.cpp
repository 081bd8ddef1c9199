// The sequential backend: the calling thread.
#include "sequential.hpp"

namespace onefold::detail {
namespace {

const char* why_not() { return nullptr; }

int threads(int) { return 1; }

void* open(int) { return nullptr; }

void close(void*) {}

void run(void*, int pieces, void (*work)(void*, int), void* context) {
  for (int i = 0; i < pieces; ++i) work(context, i);
}

}  // namespace

constinit const scheduler sequential_scheduler = {
    sizeof(scheduler), "sequential", "the calling thread", why_not, threads, open, close, run,
};

}  // namespace onefold::detail
