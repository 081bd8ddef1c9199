#include "planner/profile_age.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "onefold/version.hpp"

namespace onefold::detail {
namespace {

/// The second that "2026-11-22T10:51:19Z" names.
std::time_t second_of(const std::string& date) {
  std::tm t{};
  const char* const end = strptime(date.c_str(), "%Y-%m-%dT%H:%M:%SZ", &t);
  if (!end || *end != 0 || date.size() != 20) throw std::runtime_error("/measured/date is not a date");
  return timegm(&t);
}

std::string days_text(std::time_t seconds) {
  if (seconds < -86400) return "by a clock that was ahead of this one";
  const long days = static_cast<long>(std::max<std::time_t>(seconds, 0) / 86400);
  return days == 0 ? "today" : days == 1 ? "1 day ago" : std::to_string(days) + " days ago";
}

/// Words of other people's files reach terminals: a version is made of these.
void require_version(const std::string& version) {
  const bool fine = !version.empty() && version.size() <= 32 &&
                    version.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz.+-") == std::string::npos;
  if (!fine) throw std::runtime_error("/measured/version is not a version");
}

}  // namespace

std::string age_of(const machine_profile::origin& measured, std::time_t now) {
  if (measured.date.empty()) return "";
  const std::time_t then = second_of(measured.date);
  require_version(measured.version);
  char load[320];  // the largest double has 309 digits before its point
  char* const end = std::to_chars(load, load + sizeof load, measured.load, std::chars_format::fixed, 2).ptr;
  return "measured " + measured.date.substr(0, 10) + ", " + days_text(now - then) + ", by onefold " + measured.version +
         " at load " + std::string(load, end);
}

std::string warning_of(const machine_profile::origin& measured) {
  if (measured.disturbed)
    return "the machine was busy when its profile was measured; run onefold calibrate on a quiet one";
  if (!measured.date.empty() && measured.version != ONEFOLD_VERSION)
    return "onefold " + measured.version +
           " measured the profile, and this is onefold " ONEFOLD_VERSION "; run onefold calibrate again";
  return "";
}

}  // namespace onefold::detail
