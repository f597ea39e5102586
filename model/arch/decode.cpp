#include "model/arch/decode.hpp"

#include <array>
#include <charconv>
#include <span>

#include "model/arch/arm64.hpp"
#include "model/arch/x86_64.hpp"

namespace ptmc {
namespace {

// A field of an entry: one bit with a name, or a number (`number`) printed as name=value if it is not zero.
struct Field {
  u64 mask;
  const char* name;
  bool number = false;
};
using Fields = std::span<const Field>;

std::string hex(u64 value) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), value, 16).ptr;
  return "0x" + std::string(digits.begin(), end);
}

void append(std::string& text, const std::string& word) {
  if (!text.empty()) text += ' ';
  text += word;
}

void append_rest(std::string& text, u64 rest) {
  std::string numbers;
  for (unsigned b = 0; b < 64; ++b)
    if ((rest & bit(b)) != 0) numbers += (numbers.empty() ? "" : ",") + std::to_string(b);
  if (!numbers.empty()) append(text, "bits=" + numbers);
}

// The fields of `entry` in order; `frame_mask` prints as pfn=`pfn`.
std::string list(u64 entry, Fields fields, u64 frame_mask, u64 pfn) {
  std::string text;
  u64 rest = entry & ~frame_mask;
  bool frame = frame_mask == 0;
  for (const Field& field : fields) {
    if (!frame && field.mask > frame_mask) {
      append(text, "pfn=" + hex(pfn));
      frame = true;
    }
    if ((rest & field.mask) == 0) continue;
    const u64 value = (rest & field.mask) / (field.mask & (~field.mask + 1));
    append(text, field.number ? field.name + ("=" + std::to_string(value)) : field.name);
    rest &= ~field.mask;
  }
  append_rest(text, rest);
  return text;
}

template <class A>
struct Names;
template <class L>
struct X86Names {
  static constexpr Field fields[] = {{L::present, "P"},       {L::rw, "RW"},
                                     {L::user, "US"},         {L::pwt, "PWT"},
                                     {L::pcd, "PCD"},         {L::accessed, "A"},
                                     {L::dirty, "D"},         {L::pat, "PAT"},
                                     {L::global, "G"},        {L::special, "SPECIAL"},
                                     {L::uffd_wp, "UFFD_WP"}, {L::soft_dirty, "SOFT_DIRTY"},
                                     {L::devmap, "DEVMAP"},   {L::saved_dirty, "SAVED_DIRTY"},
                                     {L::pkey, "pkey", true}, {L::nx, "NX"}};
  static constexpr u64 frame = L::pte_pfn_mask;
};
template <>
struct Names<X86_64> : X86Names<X86_64> {};
template <>
struct Names<X86_64_6_1> : X86Names<X86_64_6_1> {};

template <class L>
struct ArmNames {
  static constexpr Field fields[] = {{L::valid, "VALID"},
                                     {L::table_bit, "PAGE"},
                                     {L::attrindx, "attr", true},
                                     {L::user, "USER"},
                                     {L::rdonly, "RDONLY"},
                                     {L::shared, "sh", true},
                                     {L::af, "AF"},
                                     {L::ng, "nG"},
                                     {L::gp, "GP"},
                                     {L::write, "WRITE"},
                                     {L::cont, "CONT"},
                                     {L::pxn, "PXN"},
                                     {L::uxn, "UXN"},
                                     {L::dirty, "DIRTY"},
                                     {L::special, "SPECIAL"},
                                     {L::devmap, "DEVMAP"},
                                     {L::v6_1 ? L::present_invalid : 0, "PROT_NONE"},
                                     {L::uffd_wp, "UFFD_WP"},
                                     {L::v6_1 ? L::pmd_invalid_bit : 0, "PRESENT_INVALID"},
                                     {L::po_idx, "pkey", true}};
  static constexpr u64 frame = L::addr;
};
template <>
struct Names<Arm64> : ArmNames<Arm64> {};
template <>
struct Names<Arm64_6_1> : ArmNames<Arm64_6_1> {};

// The same bit means something else in a not-present or huge entry.
template <class A>
std::string renamed(std::string text, u64 entry, Level level) {
  const auto swap = [&](const std::string& from, const std::string& to) {
    const std::string padded = " " + text + " ";
    const auto at = padded.find(" " + from + " ");
    if (at != std::string::npos) text.replace(at, from.size(), to);
  };
  if constexpr (A::is_x86) {
    if ((entry & A::present) == 0) swap("G", "PROTNONE");
    if (level != Level::pte) swap("PAT", "PSE");
  } else {
    if (!A::v6_1 && (entry & A::valid) == 0) swap("nG", "PRESENT_INVALID");
    if (level != Level::pte) swap("PAGE", "TABLE");
  }
  return text;
}

template <class A>
std::string decode_softleaf(u64 entry) {
  const u64 leaf = A::pte_to_swp_entry(entry), type = A::swp_type(leaf);
  std::string text;
  if (A::is_migration_entry(leaf))
    text = A::is_writable_migration_entry(leaf)   ? "migration write"
           : A::is_readable_migration_entry(leaf) ? "migration read"
                                                  : "migration read-exclusive";
  else if (A::is_device_private_entry(leaf))
    text = type == A::swp_device_write ? "device write" : "device read";
  else if (A::is_device_exclusive_entry(leaf))
    text = "device exclusive";
  else if (A::is_hwpoison_entry(leaf))
    text = "hwpoison";
  else if (A::is_pte_marker_entry(leaf))
    text = "marker " + hex(A::pte_marker_get(leaf));
  else
    text = "swap type=" + std::to_string(type) + " offset=" + hex(A::swp_offset(leaf));
  if (A::is_pfn_swap_entry(leaf)) append(text, "pfn=" + hex(A::swp_offset_pfn(leaf)));
  if (A::is_migration_entry(leaf) && A::is_migration_entry_young(leaf)) append(text, "A");
  if (A::is_migration_entry(leaf) && A::is_migration_entry_dirty(leaf)) append(text, "D");
  if (A::pte_swp_exclusive(entry)) append(text, "EXCLUSIVE");
  if (A::pte_swp_soft_dirty(entry)) append(text, "SOFT_DIRTY");
  if (A::pte_swp_uffd_wp(entry)) append(text, "UFFD_WP");
  return text;
}

template <class A>
std::string decode_as(u64 entry, Level level) {
  if (A::pte_none(entry)) return entry == 0 ? "none" : "none " + list(entry, Names<A>::fields, 0, 0);
  const bool present = level == Level::pte ? A::pte_present(entry) : A::pmd_present(entry);
  if (!present) return decode_softleaf<A>(entry);
  const bool table = A::hw_table(entry, level);
  const u64 below = bit(level == Level::pmd ? arch::pmd_shift : arch::pud_shift) - 1;
  const u64 frame = Names<A>::frame & (table || level == Level::pte ? ~u64{0} : ~below);
  const u64 pfn =
      table ? A::table_pfn(entry) : (A::pte_pfn(entry) << arch::page_shift & frame) >> arch::page_shift;
  return renamed<A>(list(entry, Names<A>::fields, frame, pfn), entry, level);
}

// Calls `f` with an object of the layout's type.
template <class F>
std::string with_layout(std::string_view arch, u64 word, F f) {
  if (arch == X86_64::name) return f(X86_64{});
  if (arch == X86_64_6_1::name) return f(X86_64_6_1{});
  if (arch == Arm64::name) return f(Arm64{});
  if (arch == Arm64_6_1::name) return f(Arm64_6_1{});
  return hex(word);
}

}  // namespace

std::string decode(std::string_view arch, u64 entry, Level level) {
  return with_layout(arch, entry, [&](auto a) { return decode_as<decltype(a)>(entry, level); });
}

std::string decode_prot(std::string_view arch, u64 prot) {
  const std::string text = with_layout(arch, prot, [&]<class A>(A) {
    const u64 frame = prot & Names<A>::frame;
    return renamed<A>(list(prot, Names<A>::fields, frame, frame >> arch::page_shift), prot, Level::pte);
  });
  return text.empty() ? "0" : text;
}

std::string bit_names(std::string_view arch, u64 mask) {
  return with_layout(arch, mask, [&]<class A>(A) {
    std::string text;
    u64 rest = mask;
    bool frame = (mask & Names<A>::frame) == 0;
    for (const Field& field : Names<A>::fields) {
      if (!frame && field.mask > Names<A>::frame) {
        append(text, "pfn");
        frame = true;
      }
      if ((rest & field.mask) != 0) append(text, field.name);
      rest &= ~field.mask;
    }
    append_rest(text, rest & ~Names<A>::frame);
    return text;
  });
}

}  // namespace ptmc
