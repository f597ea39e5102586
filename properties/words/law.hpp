// Laws of the entry helpers: statements over all 64-bit words, one text for every layout it applies to, and
// the bad twins (one helper mutated) that each of them catches.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "checker/value_lemma.hpp"
#include "model/arch/arm64.hpp"
#include "model/arch/x86_64.hpp"
#include "properties/words/helpers.hpp"

namespace ptmc::words {

/// What laws speak about: free constants.
struct Words {
  explicit Words(z3::context& context);
  z3::context& context;
  sym::Word p, q;         // Entries.
  sym::Word prot, flags;  // A pgprot_t; VM_* flags.
  sym::Word n, m;         // Frame numbers, offsets, counts.
  sym::Word keys;         // PKRU or POR_EL0.
  sym::Bool pending;      // mm_tlb_flush_pending(mm).
  sym::Bool write, young, dirty;
  sym::Bool ha, hd;  // The walker manages the access flag, dirty state.
  Cpu cpu;
  std::vector<z3::expr> inputs() const;
};

struct Statement {
  std::vector<Premise> premises;
  sym::Bool conclusion;
  std::vector<z3::expr> inputs = {};  // Free constants of its own, besides those of Words.
};
/// A premise: a sentence and who guarantees it.
inline Premise given(const char* sentence, const char* guarantee, const sym::Bool& term) {
  return {sentence, guarantee, term.e};
}

using Text = Statement (*)(const Words&);
constexpr unsigned layout_count = 4;
using Texts = std::array<Text, layout_count>;  // By Layout; null where the law does not apply.

struct Twin {
  const char* name;      // "forgets_dirty"
  const char* mutation;  // "pte_wrprotect drops the hardware's dirty state"
  Texts text;            // The law, with the mutated helper: violated on each of these layouts.
};

struct Law {
  const char* name;      // "dirty_survives_wrprotect"
  const char* sentence;  // "an entry is as dirty after write protection as before"
  Texts text;
  std::vector<Twin> twins;
  Verdict expected = Verdict::proved;  // violated: a hypothesis that words refute. Stated before it is run.
};

/// All laws of this folder, in the order in which they are printed. Built once.
const std::vector<Law>& laws();

/// Proves texts over one set of free constants.
class LawProver {
 public:
  explicit LawProver(const ValueOptions& options = {});
  ValueResult prove(Text text);
  /// The premises of a text: "sentence (guarantee)".
  std::vector<std::string> assumptions(Text text) const;

 private:
  z3::context context_;
  Words words_;
  ValueProver prover_;
};
/// "p = P RW US A D pfn=0x3, prot = P US A NX, pending = 1". By the name of the constant: entries (p, q,
/// first, entry, rest), protections (prot), VM_* flags (vma); the others in hex.
std::string decode_witness(Layout layout, const Witness& witness);

// ---- writing laws ----
template <class A>
struct Is {
  using type = A;
};
template <class... A>
struct On {};
constexpr On<X86_64, X86_64_6_1, Arm64, Arm64_6_1> everywhere;
constexpr On<X86_64, Arm64> on_6_12;
constexpr On<X86_64, X86_64_6_1> on_x86;
constexpr On<Arm64, Arm64_6_1> on_arm64;
constexpr On<X86_64> on_x86_6_12;
constexpr On<Arm64> on_arm64_6_12;
/// Where uffd-wp and markers exist.
constexpr On<X86_64, X86_64_6_1, Arm64> on_uffd;

template <class A>
constexpr unsigned index_of() {
  for (unsigned i = 0; i < layout_count; ++i)
    if (std::string_view(A::name) ==
        std::array<const char*, layout_count>{"x86_64", "x86_64_6_1", "arm64", "arm64_6_1"}[i])
      return i;
  throw "no such layout";
}

template <class F, class... A>
Texts texts(On<A...>, F) {
  Texts all{};
  ((all[index_of<A>()] = [](const Words& w) { return F{}(Is<A>{}, w); }), ...);
  return all;
}
template <template <class> class M, class F, class... A>
Texts mutated(On<A...>, F) {
  Texts all{};
  ((all[index_of<A>()] = [](const Words& w) { return F{}(Is<M<A>>{}, w); }), ...);
  return all;
}

/// A law under construction: law(name, sentence, where, text).twin<Mutant>(name, mutation).
template <class F, class Where>
struct Draft {
  Law law;
  template <template <class> class M, class Elsewhere = Where>
  Draft& twin(const char* name, const char* mutation, Elsewhere where = {}) {
    law.twins.push_back({name, mutation, mutated<M>(where, F{})});
    return *this;
  }
  Draft& expect(Verdict verdict) {
    law.expected = verdict;
    return *this;
  }
  operator Law() const { return law; }
};
template <class F, class Where>
Draft<F, Where> law(const char* name, const char* sentence, Where where, F text) {
  return {{name, sentence, texts(where, text), {}, Verdict::proved}};
}

// The chapters of laws().
void add_dirty_laws(std::vector<Law>& book);
void add_right_laws(std::vector<Law>& book);
void add_modify_laws(std::vector<Law>& book);
void add_flush_laws(std::vector<Law>& book);
void add_frame_laws(std::vector<Law>& book);
void add_swap_laws(std::vector<Law>& book);
void add_huge_laws(std::vector<Law>& book);

// ---- premises that several laws share ----
/// x86 6.12: RW=0, D=1 is a shadow-stack leaf. Elsewhere: true.
template <class A>
sym::Bool shadow_stack_word(const Words& w, const sym::Word& e) {
  if constexpr (A::is_x86 && !A::v6_1)
    return A::pte_shstk(e, w.cpu);
  else
    return sym::Bool(w.context.bool_val(false));
}
template <class A>
std::vector<Premise> outside_shadow_stack(const Words& w) {
  if constexpr (A::is_x86 && !A::v6_1)
    return {given("p is no shadow-stack leaf",
                  "VMA without VM_SHADOW_STACK: arch_check_zapped_pte, arch/x86/mm/pgtable.c 6.12",
                  !shadow_stack_word<A>(w, w.p))};
  else
    return {};
}
template <class A>
std::vector<Premise> wellformed(const Words& w) {
  if constexpr (A::is_x86)
    return {};
  else
    return {given("p is never writable without DBM (RDONLY or WRITE is set)",
                  "table at \"hardware Dirty Bit Management\", asm/pgtable.h; all of protection_map",
                  arch::any(w.p, A::rdonly | A::write))};
}
inline std::vector<Premise> operator+(std::vector<Premise> a, const std::vector<Premise>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace ptmc::words
