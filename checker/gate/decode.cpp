#include "checker/gate/decode.hpp"

#include <bit>
#include <vector>

#include "model/arch/arm64.hpp"
#include "model/arch/x86_64.hpp"

namespace ptmc::gate {
namespace {

struct Name {
  const char* text;
  u64 mask;  // Several bits: a field, printed as text=value.
};

std::string hex(u64 v) {
  std::string digits;
  do digits.insert(digits.begin(), "0123456789abcdef"[v & 15]);
  while ((v >>= 4) != 0);
  return "0x" + digits;
}

template <class L>
std::vector<Name> x86_names(words::Type type) {
  const bool leaf = type == words::Type::pmd || type == words::Type::pud;
  std::vector<Name> names = {{"P", L::present},       {"RW", L::rw},
                             {"US", L::user},         {"PWT", L::pwt},
                             {"PCD", L::pcd},         {"A", L::accessed},
                             {"D", L::dirty},         {leaf ? "PSE" : "PAT", L::pse},
                             {"G", L::global},        {"SPECIAL", L::special},
                             {"UFFD_WP", L::uffd_wp}, {"SOFT_DIRTY", L::soft_dirty},
                             {"DEVMAP", L::devmap},   {"SAVED_DIRTY", L::saved_dirty},
                             {"PKEY", L::pkey},       {"NX", L::nx}};
  names.push_back({"pfn", L::pte_pfn_mask});
  return names;
}

template <class L>
std::vector<Name> arm64_names(words::Type) {
  std::vector<Name> names = {{"VALID", L::valid},     {"TABLE", L::table_bit},
                             {"ATTR", L::attrindx},   {"USER", L::user},
                             {"RDONLY", L::rdonly},   {"SH", L::shared},
                             {"AF", L::af},           {L::v6_1 ? "NG" : "NG/PRESENT_INVALID", L::ng},
                             {"GP", L::gp},           {"DBM", L::dbm},
                             {"CONT", L::cont},       {"PXN", L::pxn},
                             {"UXN", L::uxn},         {"DIRTY", L::dirty},
                             {"SPECIAL", L::special}, {"DEVMAP", L::devmap},
                             {"UFFD_WP", L::uffd_wp}, {"POI", L::po_idx}};
  if constexpr (L::v6_1) {
    names.push_back({"PROT_NONE", L::present_invalid});
  }
  names.push_back({"pfn", L::addr});
  return names;
}

std::vector<Name> names_of(words::Layout layout, words::Type type) {
  switch (layout) {
    case words::Layout::x86_64:
      return x86_names<x86::Layout_6_12>(type);
    case words::Layout::x86_64_6_1:
      return x86_names<x86::Layout_6_1>(type);
    case words::Layout::arm64:
      return arm64_names<arm::Layout_6_12>(type);
    default:
      return arm64_names<arm::Layout_6_1>(type);
  }
}

}  // namespace

std::string decode(words::Layout layout, words::Type type, u64 word) {
  using words::Type;
  if (type == Type::swp) return "type=" + std::to_string(word >> 58) + " offset=" + hex(word & bits(57, 0));
  if (type != Type::pte && type != Type::pmd && type != Type::pud && type != Type::prot) return "";
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : " ") + text; };
  u64 rest = word;
  for (const Name& name : names_of(layout, type)) {
    const u64 bits_set = word & name.mask;
    if (bits_set == 0) continue;
    const bool field = std::popcount(name.mask) > 1;
    add(field ? std::string(name.text) + "=" + hex(bits_set >> std::countr_zero(name.mask)) : name.text);
    rest &= ~name.mask;
  }
  for (; rest != 0; rest &= rest - 1) add("bit" + std::to_string(std::countr_zero(rest)));
  return out.empty() ? "none" : out;
}

}  // namespace ptmc::gate
