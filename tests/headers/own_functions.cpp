// User-defined functions with the names of verbs, and `using namespace onefold;`: their calls find them, and calls of
// verbs find the library's.
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"

using namespace onefold;

struct own {};  // what the caller's return

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
const auto square = [](float a) { return a * a; };

// Of a pointer and a length, every one.
#define OWN(name)                                 \
  own name(const float*, int);                    \
  static_assert(is_own<decltype(name(p, n))>);    \
  static_assert(is_own<decltype(name(q, n))>);    \
  static_assert(is_own<decltype(name(x, n))>);    \
  static_assert(is_own<decltype(name(x, 3))>);    \
  static_assert(is_own<decltype(name(q, size))>); \
  static_assert(is_own<decltype(name(v.data() == nullptr ? p : q, 3))>);
OWN(sum)
OWN(product)
OWN(mean)
OWN(sum_squares)
OWN(norm2)
OWN(sum_with_bound)
OWN(min)
OWN(fmin)
OWN(fmax)
OWN(argmin)
OWN(argmax)
OWN(minmax)
OWN(moments)
OWN(variance)
OWN(sample_variance)
OWN(stddev)
OWN(sample_stddev)
OWN(count)
OWN(all)
OWN(any)
OWN(bit_and)
OWN(bit_or)
OWN(bit_xor)
OWN(nansum)
OWN(nanproduct)
OWN(nanmin)
OWN(nanmax)
OWN(nanargmin)
OWN(nanargmax)
OWN(nanminmax)
OWN(nansum_with_bound)
OWN(nansum_squares)
OWN(nannorm2)
OWN(nanmean)
OWN(nanmoments)
OWN(nanvariance)
OWN(nansample_variance)
OWN(nanstddev)
OWN(nansample_stddev)
OWN(cumsum)
OWN(cumprod)
OWN(cummin)
OWN(cummax)
OWN(median)
OWN(nanmedian)
OWN(summary)
OWN(nansummary)
OWN(softmax)
OWN(log_softmax)
OWN(logsumexp)
OWN(layer_norm)
OWN(rms_norm)
OWN(normalize)
OWN(standardize)
OWN(norm1)
OWN(norm_inf)
OWN(ptp)
OWN(first)
OWN(last)
OWN(reduce)
OWN(try_reduce)
OWN(reduce_reported)
OWN(map_reduce)
OWN(mapped)
OWN(rows)
OWN(where)
OWN(segments)
OWN(by_key)
OWN(runs_by_key)
OWN(strided_view)

// Of two arrays and a length, and of the two alone.
#define OWN_OF_TWO(name)                             \
  own name(const float*, const float*, int);         \
  own name(const float*, const float*);              \
  static_assert(is_own<decltype(name(p, p, n))>);    \
  static_assert(is_own<decltype(name(p, q, n))>);    \
  static_assert(is_own<decltype(name(x, x, n))>);    \
  static_assert(is_own<decltype(name(x, q, n))>);    \
  static_assert(is_own<decltype(name(q, q, size))>); \
  static_assert(is_own<decltype(name(p, p))>);       \
  static_assert(is_own<decltype(name(q, p))>);
OWN_OF_TWO(dot)
OWN_OF_TWO(covariance)
OWN_OF_TWO(sample_covariance)
OWN_OF_TWO(correlation)
OWN_OF_TWO(distance)
OWN_OF_TWO(cosine_similarity)
OWN_OF_TWO(weighted_mean)
OWN_OF_TWO(exact_dot)

// Of a pointer, a length and a number.
#define OWN_OF_A_NUMBER(name)                       \
  own name(const float*, int, double);              \
  own name(const std::vector<double>&, double);     \
  static_assert(is_own<decltype(name(p, n, 0.5))>); \
  static_assert(is_own<decltype(name(x, n, 0.5))>); \
  static_assert(is_own<decltype(name(v, 0.5))>);
OWN_OF_A_NUMBER(quantile)
OWN_OF_A_NUMBER(nanquantile)
OWN_OF_A_NUMBER(nth_smallest)

// From one array to another.
#define OWN_INTO(name)                            \
  own name(const float*, float*, int);            \
  static_assert(is_own<decltype(name(p, p, n))>); \
  static_assert(is_own<decltype(name(q, p, n))>); \
  static_assert(is_own<decltype(name(x, x, n))>);
OWN_INTO(cumsum)
OWN_INTO(cumprod)
OWN_INTO(cummin)
OWN_INTO(cummax)
OWN_INTO(inclusive_scan)
OWN_INTO(exclusive_scan)
OWN_INTO(softmax)
OWN_INTO(log_softmax)
OWN_INTO(logsumexp)
OWN_INTO(layer_norm)
OWN_INTO(rms_norm)
OWN_INTO(normalize)
OWN_INTO(standardize)

// Of other arguments.
own max(float*, std::size_t);
own norm2(const float*);
own norm1(const std::vector<double>&);
own nanmean(const double*, const double*);
own variance(const std::vector<double>&);
own dot(const std::vector<double>&, const std::vector<double>&);
own count(const std::vector<int>&, int);
own normalize(std::vector<double>&, double);
own mapped(int, int);
template <class F>
own mapped(const F&, const double*, std::size_t);
template <class F>
own map_reduce(F, const double*, int);
template <class Iterator>
own mean(Iterator, Iterator);
template <class Iterator>
own median(Iterator, Iterator);
template <class Iterator>
own quantile(Iterator, Iterator, double);
template <class T>
own norm_inf(const T*, int);
own where(const std::vector<double>&, float);
own weighted_mean(const std::vector<double>&, const std::vector<double>&, int);
template <class Function>
own product(const std::vector<double>&, const Function&);
own max(std::initializer_list<double>);
own fmin(const std::vector<double>&, const std::vector<double>&);
template <class X, class Y>
own fmax(const X&, const Y&);
template <class X, class Function>
own bit_xor(const X&, int, const Function&);
template <class X, class T>
own reduce(const X&, T);
own histogram(const std::vector<double>&, double);
template <class T>
own top_k(const std::vector<T>&, double);
static_assert(is_own<decltype(max(p, n))>);
static_assert(is_own<decltype(max(p, size))>);
static_assert(is_own<decltype(norm2(p))>);
static_assert(is_own<decltype(norm2(q))>);
static_assert(is_own<decltype(norm1(v))>);
static_assert(is_own<decltype(nanmean(d, d + 3))>);
static_assert(is_own<decltype(variance(v))>);
static_assert(is_own<decltype(dot(v, v))>);
static_assert(is_own<decltype(count(integers, 1))>);
static_assert(is_own<decltype(normalize(v, 1.0))>);
static_assert(is_own<decltype(mapped(1, 2))>);
static_assert(is_own<decltype(mapped(square, d, size))>);
static_assert(is_own<decltype(map_reduce(square, d, n))>);
static_assert(is_own<decltype(mean(q, q + 3))>);
static_assert(is_own<decltype(mean(v.begin(), v.end()))>);
static_assert(is_own<decltype(median(v.begin(), v.end()))>);
static_assert(is_own<decltype(quantile(v.begin(), v.end(), 0.5))>);
static_assert(is_own<decltype(norm_inf(d, n))>);
static_assert(is_own<decltype(where(v, 0.5))>);
static_assert(is_own<decltype(weighted_mean(v, v, n))>);
static_assert(is_own<decltype(product(v, [](double a) { return a; }))>);
static_assert(is_own<decltype(max({1.0, 2.0}))>);
static_assert(is_own<decltype(max({1, 2.0}))>);
static_assert(is_own<decltype(fmin(v, v))>);
static_assert(is_own<decltype(fmax(v, v))>);
static_assert(is_own<decltype(fmax(v, std::plus<>{}))>);
static_assert(is_own<decltype(bit_xor(integers, 0, [](int a) { return a; }))>);
static_assert(is_own<decltype(reduce(v, 0.0))>);
static_assert(is_own<decltype(histogram(v, 0.5))>);
static_assert(is_own<decltype(top_k(v, 0.5))>);

// The standard library's, which iterators find.
static_assert(std::same_as<decltype(distance(v.begin(), v.end())), std::ptrdiff_t>);
static_assert(std::same_as<decltype(count(v.begin(), v.end(), 1.0)), std::ptrdiff_t>);
static_assert(std::same_as<decltype(reduce(v.begin(), v.end())), double>);
static_assert(std::same_as<decltype(inclusive_scan(v.begin(), v.end(), v.begin())), std::vector<double>::iterator>);

static_assert(std::same_as<decltype(sum(v)), double>);
static_assert(std::same_as<decltype(sum(std::array<float, 3>{})), float>);
static_assert(std::same_as<decltype(mean(v)), double>);
static_assert(std::same_as<decltype(max(rows(q, 1, 3, 3), 1)), result_array<float>>);
static_assert(std::same_as<decltype(dot(x, x)), float>);
static_assert(std::same_as<decltype(sum(mapped(square, x))), float>);
static_assert(std::same_as<decltype(sum(x, square)), float>);
static_assert(std::same_as<decltype(min({1.0f, 2.0f})), float>);
static_assert(std::same_as<decltype(reduce(v, 1, std::plus<>{})), int>);
static_assert(std::same_as<decltype(norm1(rows(q, 1, 3, 3), 1)), result_array<float>>);
static_assert(std::same_as<decltype(sum(where(x, not_nan))), float>);
static_assert(std::same_as<decltype(softmax(x)), result_array<float>>);
