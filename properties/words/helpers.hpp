// The helpers of model/arch as data: what `ptmc conform` compares with a kernel tree, one by one, and what
// the laws are written about.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "checker/symbolic/word.hpp"
#include "model/arch/entry.hpp"

namespace ptmc::words {

/// What a kernel function takes or returns. Every value travels as a 64-bit word.
enum class Type : u8 {
  pte,       // pte_t, by value. Of a loop body: the word in memory (argument) or stored (result).
  pmd,       // pmd_t
  pud,       // pud_t
  prot,      // pgprot_t
  swp,       // swp_entry_t
  number,    // unsigned long: a frame number, a count, a swap type or offset, a marker.
  vm_flags,  // struct vm_area_struct * (vma->vm_flags), or the flags themselves for vm_get_page_prot.
  mm,        // struct mm_struct *: nonzero if mm_tlb_flush_pending(mm).
  flag,      // bool or int: 0 is false, all else true. As a result: 0 or 1.
  keys       // Not a parameter of the kernel's function: PKRU or POR_EL0, which it reads.
};

enum class Form : u8 {
  function,  // A pure function of its arguments.
  loop_body  // Takes a pointer: argument 0 is *ptep as read, the result is what one successful iteration
             // leaves there.
};

/// Features of the CPU as terms; a proof holds for all of them.
using Cpu = Features<sym::Bool, sym::Word>;
/// Free constants in `context`, named after the members of Features, with `prefix` in front.
Cpu free_cpu(z3::context& context, const std::string& prefix = "cpu.");

using Arguments = std::vector<sym::Word>;
using Values = std::array<u64, 3>;

/// The argument types of a helper.
struct Types {
  u8 count;
  Type at[3];
  constexpr unsigned size() const { return count; }
  constexpr Type operator[](unsigned i) const { return at[i]; }
  constexpr const Type* begin() const { return at; }
  constexpr const Type* end() const { return at + count; }
};

struct Helper {
  const char* name;  // The kernel's name.
  Type result;
  Types args;  // In the kernel's order; `keys` last.
  Form form;
  /// One term of 64 bits for each of `args`.
  sym::Word (*apply)(const Arguments&, const Cpu&);
  /// The same text over numbers; values beyond `args` are ignored.
  u64 (*evaluate)(const Values&, const Features<bool, u64>&);
};

enum class Layout : u8 { x86_64, x86_64_6_1, arm64, arm64_6_1 };
constexpr Layout layouts[] = {Layout::x86_64, Layout::x86_64_6_1, Layout::arm64, Layout::arm64_6_1};

struct LayoutName {
  const char* name;    // "arm64_6_1"
  const char* family;  // "arm64": what --arch selects.
  const char* kernel;  // "6.1"
};
LayoutName name_of(Layout layout);

/// All helpers that this layout's kernel has, in fixed order. Built once.
const std::vector<Helper>& helpers(Layout layout);

}  // namespace ptmc::words
