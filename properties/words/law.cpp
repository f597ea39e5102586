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
  return prover_.prove({words_.inputs(), std::move(statement.premises), statement.conclusion.e});
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
    const std::string shown = name == "p" || name == "q" ? decode(arch, value)
                              : name == "prot"           ? decode_prot(arch, value)
                                                         : hex(value);
    text += (text.empty() ? "" : ", ") + name + " = " + shown;
  }
  return text;
}

}  // namespace ptmc::words
