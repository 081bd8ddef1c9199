# The table of scripts/quickstart: a line for each accuracy mode, a column for each backend; and whether all bits are the
# same. Reads the JSON lines of onefold bench; `loop` is the line of the left fold in the CSV of onefold accuracy, and
# `values` has each mode's result.

# The value of a member in a line of flat JSON.
function get(name,    at) {
  if (!match($0, "\"" name "\":\"?[^\",}]*")) return ""
  at = substr($0, RSTART, RLENGTH)
  sub("^\"" name "\":\"?", "", at)
  return at
}
function line(name, value, of,    i, text) {
  text = sprintf("  %-14s %15s", name, value)
  for (i = 1; i <= backends; ++i) text = text sprintf(" %10s", (i, of) in cells ? cells[i, of] : "-")
  print text
}
BEGIN {
  parts = split(values, pairs, " ")
  for (i = 1; i <= parts; ++i) value[substr(pairs[i], 1, index(pairs[i], "=") - 1)] = substr(pairs[i], index(pairs[i], "=") + 1)
}
get("op") == "" { next }
{
  name = get("backend"); mode = get("accuracy")
  if (!(name in place)) { place[name] = ++backends; title[backends] = name }
  if (!(mode in seen)) { seen[mode] = 1; order[++modes] = mode }
  noisy = get("noisy") == "true"
  any_noise = any_noise || noisy
  cells[place[name], mode] = sprintf("%.1f%s", get("gb_per_s") * get("seconds") / get("minimum"), noisy ? "?" : " ")
  if (get("limit_gb_per_s") + 0 > limit[place[name]]) limit[place[name]] = get("limit_gb_per_s") + 0
  bits = get("bits")
  if (get("same_bits") == "false" || (mode in bits_of && bits_of[mode] != bits)) different = different " " name "/" mode
  bits_of[mode] = bits
}
END {
  for (i = 1; i <= backends; ++i) {
    cells[i, "title"] = title[i] " "
    if (limit[i] > 0) cells[i, "limit"] = sprintf("%.1f ", limit[i])
  }
  line("", "value", "title")
  if (loop != "") {
    n = split(loop, fields, ",")
    cells[1, "loop"] = sprintf("%.1f%s", fields[n - 2], fields[n] == "true" ? "?" : " ")
    any_noise = any_noise || fields[n] == "true"
    line("a plain loop", fields[n - 11], "loop")
  }
  for (i = 1; i <= modes; ++i) line(order[i], order[i] in value ? value[order[i]] : "", order[i])
  line("reading alone", "", "limit")
  if (any_noise) print "  ? other programs used the processors meanwhile: not figures to quote"
  print ""
  if (different != "") { print "DIFFERENT BITS:" different "; please report this as a bug"; exit 1 }
  for (i = 1; i <= modes; ++i) {
    bits = bits_of[order[i]]
    if (bits in named) { for (j = 1; j <= kinds; ++j) if (kind[j] == bits) names[j] = names[j] ", " order[i] }
    else { named[bits] = 1; kind[++kinds] = bits; names[kinds] = order[i] }
  }
  print "The same bits on every backend:"
  for (j = 1; j <= kinds; ++j) print "  " kind[j] " (" names[j] ")"
}
