// User-defined functions with the names of verbs, and `using namespace onefold;`: their calls find them, and calls of
// verbs find the library's.
#include <array>
#include <concepts>
#include <cstddef>
#include <vector>

#include "onefold/onefold.hpp"

using namespace onefold;

struct own {};  // what the caller's return

own sum(const float*, int);
own max(float*, std::size_t);
own norm2(const float*);
own nanmean(const double*, const double*);
own variance(const std::vector<double>&);
own cumsum(const float*, float*, int);
own cummax(const float*, int);
own count(const std::vector<int>&, int);
own softmax(const float*, int);
own normalize(std::vector<double>&, double);
template <class Iterator>
own mean(Iterator, Iterator);

template <class Called>
constexpr bool is_own = std::same_as<Called, own>;

float x[3] = {1, 2, 3};
float* p = x;
const float* q = x;
const double* d = nullptr;
std::vector<double> v(3);
std::vector<int> integers(3);
int n = 3;
std::size_t size = 3;

static_assert(is_own<decltype(sum(p, n))>);
static_assert(is_own<decltype(softmax(p, n))>);
static_assert(is_own<decltype(softmax(x, n))>);
static_assert(is_own<decltype(normalize(v, 1.0))>);
static_assert(is_own<decltype(sum(q, n))>);
static_assert(is_own<decltype(sum(x, n))>);
static_assert(is_own<decltype(sum(v.data() == nullptr ? p : q, 3))>);
static_assert(is_own<decltype(sum(q, size))>);
static_assert(is_own<decltype(max(p, n))>);
static_assert(is_own<decltype(max(p, size))>);
static_assert(is_own<decltype(norm2(p))>);
static_assert(is_own<decltype(norm2(q))>);
static_assert(is_own<decltype(nanmean(d, d + 3))>);
static_assert(is_own<decltype(variance(v))>);
static_assert(is_own<decltype(cumsum(q, p, n))>);
static_assert(is_own<decltype(cummax(p, n))>);
static_assert(is_own<decltype(count(integers, 1))>);
static_assert(is_own<decltype(mean(q, q + 3))>);
static_assert(is_own<decltype(mean(v.begin(), v.end()))>);

static_assert(std::same_as<decltype(sum(v)), double>);
static_assert(std::same_as<decltype(sum(std::array<float, 3>{})), float>);
static_assert(std::same_as<decltype(mean(v)), double>);
static_assert(std::same_as<decltype(max(rows(q, 1, 3, 3), 1)), result_array<float>>);
