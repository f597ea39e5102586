#include "properties/litmus/voice.hpp"

#include <array>

#include "model/arch/arm64.hpp"
#include "model/arch/x86_64.hpp"

namespace ptmc::litmus {
namespace {

using M = const Moment&;
using std::to_string;

template <class Arch>
std::string words(u64 e, Level level) {
  if (Arch::hw_table(e, level)) return "table " + to_string(Arch::hw_table_pfn(e));
  if (!Arch::hw_valid(e)) return e == 0 ? "0" : "invalid";
  return "pfn " + to_string(Arch::hw_pfn(e)) + (Arch::hw_can_store(e) ? " RW" : " RO") +
         (Arch::hw_dirty(e) ? " dirty" : " clean") + (Arch::hw_accessed(e) ? "" : " old") +
         (Arch::hw_cont(e) ? " CONT" : "");
}
std::string words(M m, u64 e, Level level = Level::pte) {
  return m.trace.subject.arch == "arm64" ? words<Arm64>(e, level) : words<X86_64>(e, level);
}

std::string access(M m) {
  const auto fate = m.change("local[*].r[*]");
  if (!fate) return "access, as before";
  return fate->now == 1 ? "access faults" : "access reaches pfn " + to_string(fate->now - 2);
}
std::string peek(M m) {
  const auto flag = m.change("local[*].r[*]");
  return "flag is " + to_string(flag ? flag->now - 2 : 0);
}
std::string read(M m) {
  const auto seen = m.change("local[*].seen");
  return "read pte: " + words(m, seen ? seen->now : 0);
}
std::string write(M m) {
  if (const auto leaf = m.change("leaf[*][*]"))
    return "pte[" + leaf->captured[1] + "] = " + words(m, leaf->now);
  if (const auto top = m.change("top[*]")) return "pmd = " + words(m, top->now, Level::pmd);
  return "pte = same";
}
std::string walk(M m) {
  return "walk: table " + to_string(m.now("walk[" + to_string(m.index("cpu").value_or(0)) + "].table"));
}
std::string fill(M m) {
  const std::string page = to_string(m.index("page").value_or(0)),
                    t = "tlb[" + to_string(m.index("cpu").value_or(0)) + "][" + page + "]";
  return "TLB[" + page + "]: pfn " + to_string(m.now(t + ".frame")) +
         (m.now(t + ".writable") != 0 ? " RW" : " RO") + (m.now(t + ".dirty") != 0 ? " dirty" : " clean") +
         (m.now(t + ".block") != 0 ? ", for the block" : "");
}
std::string deliver(M m) { return "drops for CPU " + to_string(m.index("actor").value_or(0)); }

constexpr std::array phrases{
    Phrase{"access", "", access},
    Phrase{"peek_flag", "", peek},
    Phrase{"read_pte", "", read},
    Phrase{"xchg_pte", "", write},
    Phrase{"write_pte", "", write},
    Phrase{"write_pmd", "", write},
    Phrase{"start_walk", "", walk},
    Phrase{"start_walk_before", "", walk},
    Phrase{"fill", "", fill},
    Phrase{"fill_before", "", fill},
    Phrase{"fill_block", "", fill},
    Phrase{"evict", "TLB entry evicted"},
    Phrase{"deliver", "", deliver},
    Phrase{"set_flag", "set flag"},
    Phrase{"wait_flag", "see flag"},
    Phrase{"invalidate", "invalidate"},
    Phrase{"ipi", "IPI"},
    Phrase{"ipi_wait", "acknowledged"},
    Phrase{"tlbi", "TLBI"},
    Phrase{"dsb_ish", "DSB ISH"},
    Phrase{"dsb_ishst", "DSB ISHST"},
    Phrase{"isb", "ISB"},
    Phrase{"set_key", "write key register"},
    Phrase{"switch_to", "switch address space"},
    Phrase{"irqs_off", "interrupts off", nullptr, opens("cpu[*].irqs_off")},
    Phrase{"irqs_on", "interrupts on", nullptr, closes("cpu[*].irqs_off")},
    Phrase{"enter_lazy", "goes lazy"},
};

// Table `t` maps pages 0 and 1; each address space has one entry above.
std::string leaf_name(const std::vector<std::string>& at, const CpuName&) {
  return "table " + at[0] + " pte[" + at[1] + "]";
}
std::string top_name(const std::vector<std::string>& at, const CpuName&) { return "space " + at[0] + " pmd"; }
// By the number of its program: a column of its own is only the hardware of that CPU.
std::string cpu_name(const std::vector<std::string>& at, const CpuName&) { return "cpu " + at[0]; }
std::string tlb_name(const std::vector<std::string>& at, const CpuName& cpu) {
  return cpu_name(at, cpu) + " page " + at[1];
}

constexpr Group groups[] = {{"leaf[*][*]", "Page tables", leaf_name},
                            {"leaf[*][*].*", "Page tables", leaf_name},
                            {"top[*]", "Page tables", top_name, nullptr, {}, 1},
                            {"top[*].*", "Page tables", top_name, nullptr, {}, 1},
                            {"tlb[*][*].*", "TLBs", tlb_name, nullptr, "valid"},
                            {"walk[*].*", "Walks under way or cached", cpu_name, nullptr, "valid"},
                            {"cpu[*].*", "CPUs", cpu_name}};

}  // namespace

const Voice& voice() {
  static const Voice v{phrases, {}, nullptr, nullptr, nullptr, groups};
  return v;
}

}  // namespace ptmc::litmus
