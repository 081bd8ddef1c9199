// Inflating member by member. The check sum and length of each member are zlib's to verify.
#include "input/gzip.hpp"

#ifdef ONEFOLD_ZLIB

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "input/failure.hpp"

namespace onefold::cli {
namespace {

class gzip_decoder final : public decoder {
 public:
  gzip_decoder(std::unique_ptr<source> packed, progress_counter& counted)
      : packed_(std::move(packed)), counted_(counted) {
    constexpr int gzip_only = 16;
    if (inflateInit2(&stream_, MAX_WBITS + gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~gzip_decoder() override { inflateEnd(&stream_); }

  std::size_t read(std::span<std::byte> room) override {
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = narrowed(room.size());
    const std::size_t wanted = stream_.avail_out;
    while (stream_.avail_out == wanted && !(between_members_ && at_end())) inflate_some();
    return wanted - stream_.avail_out;
  }

  void check_unchanged() const override { packed_->check_unchanged(); }
  void stop() override { packed_->stop(); }

 private:
  static uInt narrowed(std::size_t size) {
    return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
  }

  /// Whether the file ends here; steps over the zeros that tapes and block devices add.
  bool at_end() {
    for (;;) {
      packed_->at_least(gzip_start);
      const std::span<const std::byte> rest = packed_->bytes();
      const auto end = std::ranges::find_if(rest, [](std::byte b) { return b != std::byte{0}; });
      const auto zeros = static_cast<std::size_t>(end - rest.begin());
      if (rest.empty()) return true;
      if (zeros == 0 && is_gzip(rest)) return false;
      if (zeros == 0) throw bad_data(place(), "the end, or more gzip data", "other bytes");
      consume(zeros);
    }
  }

  void inflate_some() {
    if (packed_->bytes().empty() && !packed_->more())
      throw bad_data(place(), "more gzip data", "the end: the file is truncated");
    if (between_members_ && inflateReset(&stream_) != Z_OK) throw std::bad_alloc();
    const std::span<const std::byte> bytes = packed_->bytes();
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));  // zlib only reads it
    stream_.avail_in = narrowed(bytes.size());
    const uInt given = stream_.avail_in;
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    consume(given - stream_.avail_in);
    if (outcome == Z_MEM_ERROR) throw std::bad_alloc();
    if (outcome != Z_OK && outcome != Z_STREAM_END && outcome != Z_BUF_ERROR)
      throw bad_data(place(), "gzip data",
                     fmt::format("damage ({})", stream_.msg != nullptr ? stream_.msg : "it needs a dictionary"));
    between_members_ = outcome == Z_STREAM_END;
  }

  void consume(std::size_t count) {
    packed_->drop(count);
    offset_ += count;
    if (packed_->mapped()) counted_.bytes += count;
  }

  std::string place() const { return fmt::format("byte offset {}", offset_); }

  std::unique_ptr<source> packed_;
  progress_counter& counted_;
  z_stream stream_ = {};
  std::size_t offset_ = 0;
  bool between_members_ = false;
};

}  // namespace

std::unique_ptr<decoder> gunzipped(std::unique_ptr<source>& packed, progress_counter& counted) {
  return std::make_unique<gzip_decoder>(std::move(packed), counted);
}

std::string version_of_zlib() { return zlibVersion(); }

}  // namespace onefold::cli

#else

namespace onefold::cli {

std::unique_ptr<decoder> gunzipped(std::unique_ptr<source>&, progress_counter&) { return nullptr; }
std::string version_of_zlib() { return ""; }

}  // namespace onefold::cli

#endif

namespace onefold::cli {

bool is_gzip(std::span<const std::byte> start) {
  constexpr auto reserved_flags = std::byte{0xe0};
  return start.size() >= gzip_start && start[0] == std::byte{0x1f} && start[1] == std::byte{0x8b} &&
         start[2] == std::byte{8} && (start[3] & reserved_flags) == std::byte{0};
}

}  // namespace onefold::cli
