#include "properties/words/law.hpp"

#include <array>
#include <charconv>

#include "model/arch/decode.hpp"

namespace ptmc::words {
namespace {

sym::Word word(z3::context& context, const char* name) { return sym::Word(context.bv_const(name, 64)); }
sym::Bool flag(z3::context& context, const char* name) { return sym::Bool(context.bool_const(name)); }

std::string hex(u64 value) {
  std::array<char, 16> digits{};
  return "0x" + std::string(digits.begin(), std::to_chars(digits.begin(), digits.end(), value, 16).ptr);
}

bool is_entry(const std::string& name) {
  return name == "p" || name == "q" || name == "first" || name == "entry" || name == "rest";
}

std::string decode_vm_flags(u64 flags) {
  struct Name {
    u64 flag;
    const char* text;
  };
  constexpr Name names[] = {{vm::read, "READ"},
                            {vm::write, "WRITE"},
                            {vm::exec, "EXEC"},
                            {vm::shared, "SHARED"},
                            {vm::uffd_wp, "UFFD_WP"},
                            {vm::soft_dirty, "SOFTDIRTY"},
                            {vm::shadow_stack, "SHADOW_STACK"}};
  std::string text;
  for (const Name& name : names) {
    if ((flags & name.flag) != 0) text += (text.empty() ? "" : " ") + std::string(name.text);
    flags &= ~name.flag;
  }
  if (flags != 0) text += (text.empty() ? "" : " ") + hex(flags);
  return text.empty() ? "0" : text;
}

}  // namespace

Words::Words(z3::context& c)
    : context(c),
      p(word(c, "p")),
      q(word(c, "q")),
      prot(word(c, "prot")),
      flags(word(c, "vm_flags")),
      n(word(c, "n")),
      m(word(c, "m")),
      keys(word(c, "keys")),
      pending(flag(c, "pending")),
      write(flag(c, "write")),
      young(flag(c, "young")),
      dirty(flag(c, "dirty")),
      ha(flag(c, "ha")),
      hd(flag(c, "hd")),
      cpu(free_cpu(c, "")) {}

std::vector<z3::expr> Words::inputs() const {
  return {p.e,
          q.e,
          prot.e,
          flags.e,
          n.e,
          m.e,
          keys.e,
          pending.e,
          write.e,
          young.e,
          dirty.e,
          ha.e,
          hd.e,
          cpu.shstk.e,
          cpu.la57.e,
          cpu.poe.e,
          cpu.epan.e,
          cpu.migration_ad.e,
          cpu.supported_pte_mask.e};
}

const std::vector<Law>& laws() {
  static const std::vector<Law> book = [] {
    std::vector<Law> all;
    add_dirty_laws(all);
    add_right_laws(all);
    add_modify_laws(all);
    add_flush_laws(all);
    add_frame_laws(all);
    add_swap_laws(all);
    add_huge_laws(all);
    return all;
  }();
  return book;
}

LawProver::LawProver(const ValueOptions& options) : words_(context_), prover_(options) {}

ValueResult LawProver::prove(Text text) {
  Statement statement = text(words_);
  std::vector<z3::expr> inputs = words_.inputs();
  inputs.insert(inputs.end(), statement.inputs.begin(), statement.inputs.end());
  return prover_.prove({std::move(inputs), std::move(statement.premises), statement.conclusion.e});
}

std::vector<std::string> LawProver::assumptions(Text text) const {
  std::vector<std::string> all;
  for (const Premise& premise : text(words_).premises)
    all.push_back(premise.sentence + " (" + premise.guarantee + ")");
  return all;
}

std::string decode_witness(Layout layout, const Witness& witness) {
  const std::string_view arch = name_of(layout).name;
  std::string text;
  for (const auto& [name, value] : witness) {
    const std::string shown = is_entry(name)   ? decode(arch, value)
                              : name == "prot" ? decode_prot(arch, value)
                              : name == "vma"  ? decode_vm_flags(value)
                                               : hex(value);
    text += (text.empty() ? "" : ", ") + name + " = " + shown;
  }
  return text;
}

}  // namespace ptmc::words
