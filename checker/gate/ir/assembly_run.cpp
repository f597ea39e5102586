#include <algorithm>
#include <functional>
#include <regex>

#include "checker/gate/ir/assembly.hpp"

namespace ptmc::gate::ir {
namespace {

// Instructions without effect on words. Flushes and barriers matter elsewhere: here only the value counts.
bool is_effect_free(const std::string& m) {
  static const char* const names[] = {"nop",    "dmb", "dsb", "isb", "prfm", "tlbi",  "mfence", "lfence",
                                      "sfence", "ud2", "brk", "sb",  "hint", "yield", "invlpg"};
  return std::any_of(std::begin(names), std::end(names), [&](const char* n) { return m == n; });
}

class Runner {
 public:
  Runner(std::vector<AsmOperand*>& operands, World& world, const z3::expr& guard)
      : operands_(operands),
        w_(world),
        guard_(guard),
        zero_(world.truth(false)),
        carry_(world.truth(false)) {}

  void x86(const AsmInstruction& i);
  void arm64(const AsmInstruction& i);
  void set_condition_outputs();

 private:
  using Combine = std::function<z3::expr(const z3::expr&, const z3::expr&)>;

  AsmOperand& operand(const std::string& text) {
    static const std::regex form(R"(^\$\{?([0-9]+)(:[a-zA-Z]+)?\}?$)");
    std::smatch match;
    if (!std::regex_match(text, match, form)) throw Unsupported("asm operand " + text);
    return *operands_.at(std::stoul(match[1]));
  }
  z3::expr read(const std::string& text, unsigned width) {
    static const std::regex literal(R"(^(\$\$|#)(-?[0-9]+)$)");
    std::smatch match;
    if (text == "xzr" || text == "wzr") return w_.number(0, width);
    if (std::regex_match(text, match, literal))
      return w_.number(static_cast<u64>(std::stoll(match[2])), width);
    AsmOperand& o = operand(text);
    if (o.memory) return w_.memory.load(*o.memory, width / 8, false).term();
    if (!o.value) return w_.unknown(width);
    const z3::expr value = as_bits(o.value->term());
    const unsigned has = value.get_sort().bv_size();
    return has == width ? value : has > width ? value.extract(width - 1, 0) : z3::zext(value, width - has);
  }
  void write(const std::string& text, const z3::expr& value) {
    AsmOperand& o = operand(text);
    const unsigned width = value.get_sort().bv_size();
    if (o.memory) return w_.memory.store(*o.memory, width / 8, value, guard_);
    // Writing the low half of a register clears the high one.
    const z3::expr whole = width < o.width ? z3::zext(value, o.width - width)
                                           : (width > o.width ? value.extract(o.width - 1, 0) : value);
    o.value = o.value && !o.value->is_pointer() && !guard_.is_true() ? merge(guard_, whole, *o.value)
                                                                     : Value(whole);
  }
  /// The operand that lives in that register.
  AsmOperand* in_register(const std::string& name) {
    for (AsmOperand* o : operands_)
      if (o->constraint.find("{" + name + "}") != std::string::npos) return o;
    throw Unsupported("asm without operand in " + name);
  }

  void modify(const std::string& target, unsigned width, const z3::expr& source, const Combine& combine) {
    const z3::expr result = combine(read(target, width), source);
    write(target, result);
    zero_ = result == w_.number(0, width);
  }
  void x86_bit(const AsmInstruction& i, unsigned width);
  void x86_cmpxchg(const AsmInstruction& i, unsigned width);
  void exclusive_store(const AsmInstruction& i, unsigned width);
  void atomic_arm64(const AsmInstruction& i, unsigned width);

  std::vector<AsmOperand*>& operands_;
  World& w_;
  z3::expr guard_, zero_, carry_;
};

const std::map<std::string, std::function<z3::expr(const z3::expr&, const z3::expr&)>>& arithmetic() {
  using E = const z3::expr&;
  static const std::map<std::string, std::function<z3::expr(E, E)>> table = {
      {"and", [](E a, E b) { return a & b; }}, {"or", [](E a, E b) { return a | b; }},
      {"orr", [](E a, E b) { return a | b; }}, {"xor", [](E a, E b) { return a ^ b; }},
      {"eor", [](E a, E b) { return a ^ b; }}, {"add", [](E a, E b) { return a + b; }},
      {"sub", [](E a, E b) { return a - b; }}, {"bic", [](E a, E b) { return a & ~b; }}};
  return table;
}

void Runner::x86_bit(const AsmInstruction& i, unsigned width) {
  const z3::expr position = read(i.operands.at(0), width) & w_.number(width - 1, width);
  const z3::expr mask = z3::shl(w_.number(1, width), position), old = read(i.operands.at(1), width);
  carry_ = (old & mask) != w_.number(0, width);
  if (i.mnemonic.find("btr") != std::string::npos)
    write(i.operands[1], old & ~mask);
  else if (i.mnemonic.find("bts") != std::string::npos)
    write(i.operands[1], old | mask);
  else if (i.mnemonic.find("btc") != std::string::npos)
    write(i.operands[1], old ^ mask);
}

void Runner::x86_cmpxchg(const AsmInstruction& i, unsigned width) {
  AsmOperand* expected = in_register("ax");
  const z3::expr old = read(i.operands.at(1), width), want = expected->value.value().term();
  zero_ = old == want;
  write(i.operands[1], z3::ite(zero_, read(i.operands.at(0), width), old));
  expected->value = Value(old);
}

void Runner::x86(const AsmInstruction& i) {
  static const std::map<char, unsigned> suffix = {{'b', 8}, {'w', 16}, {'l', 32}, {'q', 64}};
  std::string name = i.mnemonic.starts_with("lock ") ? i.mnemonic.substr(5) : i.mnemonic;
  if (name == ".byte") {
    std::string bytes;
    for (const auto& b : i.operands) bytes += b + " ";
    if (bytes == "0x0f 0x0b ") return w_.skip("ud2");
    if (bytes != "0x0f 0x01 0xee ") throw Unsupported("asm .byte " + bytes);
    in_register("ax")->value = Value(w_.symbol("pkru", 32));
    in_register("dx")->value = Value(w_.number(0, 32));
    return;
  }
  if (is_effect_free(name)) return w_.skip(name);
  const auto width = suffix.find(name.back());
  if (width == suffix.end()) throw Unsupported("asm " + name);
  const std::string stem = name.substr(0, name.size() - 1);
  const unsigned bits = width->second;
  if (stem == "cmpxchg") return x86_cmpxchg(i, bits);
  if (stem == "btr" || stem == "bts" || stem == "btc" || stem == "bt") return x86_bit(i, bits);
  if (stem == "mov") return write(i.operands.at(1), read(i.operands.at(0), bits));
  if (stem == "xchg") {
    const z3::expr a = read(i.operands.at(0), bits), b = read(i.operands.at(1), bits);
    write(i.operands[0], b);
    return write(i.operands[1], a);
  }
  const auto operation = arithmetic().find(stem);
  if (operation == arithmetic().end()) throw Unsupported("asm " + name);
  modify(i.operands.at(1), bits, read(i.operands.at(0), bits), operation->second);
}

void Runner::exclusive_store(const AsmInstruction& i, unsigned width) {
  write(i.operands.at(2), read(i.operands.at(1), width));
  write(i.operands.at(0), w_.number(0, 32));  // The status of success.
}

// LSE: cas, swp and the ld<op> / st<op> family; ordering suffixes a, l, al.
void Runner::atomic_arm64(const AsmInstruction& i, unsigned width) {
  const std::string& m = i.mnemonic;
  const bool store_only = m.starts_with("st");
  const std::string& memory = i.operands.back();
  const z3::expr old = read(memory, width), source = read(i.operands.at(0), width);
  if (m.starts_with("cas")) {
    write(memory, z3::ite(old == source, read(i.operands.at(1), width), old));
    return write(i.operands[0], old);
  }
  const std::string kind = m.starts_with("swp") ? "swp" : m.substr(2, 3);
  const z3::expr result = kind == "swp"   ? source
                          : kind == "set" ? old | source
                          : kind == "clr" ? old & ~source
                          : kind == "eor" ? old ^ source
                                          : old + source;
  write(memory, result);
  if (!store_only) write(i.operands.at(1), old);
}

void Runner::arm64(const AsmInstruction& i) {
  static const std::regex atomic("(cas|swp|(ld|st)(set|clr|eor|add))(a|l|al)?");
  static const std::regex exclusive("(ld|st)[al]?xr");
  const std::string& m = i.mnemonic;
  if (is_effect_free(m)) return w_.skip(m == "tlbi" || m == "dsb" ? m + " " + i.operands.at(0) : m);
  const unsigned width = i.operands.empty() || i.operands[0].find(":w}") == std::string::npos ? 64 : 32;
  if (m == "mrs_s" || m == "mrs") {
    static const std::regex number(R"(\((0[xX])?([0-9]+)\))");
    std::string name = i.operands.at(1);
    if (m == "mrs_s") {
      std::vector<std::string> parts;
      for (std::sregex_iterator n(name.begin(), name.end(), number), end; n != end; ++n)
        parts.push_back((*n)[2]);
      if (parts.size() != 5) throw Unsupported("asm mrs_s " + name);
      name = "S" + parts[0] + "_" + parts[1] + "_C" + parts[2] + "_C" + parts[3] + "_" + parts[4];
    }
    return write(i.operands[0], w_.symbol("sysreg " + name, 64));
  }
  if (std::regex_match(m, exclusive)) {
    const std::string& data = i.operands.at(m.starts_with("st") ? 1 : 0);
    const unsigned bits = data.find(":w}") == std::string::npos ? 64 : 32;
    if (m.starts_with("st")) return exclusive_store(i, bits);
    return write(data, read(i.operands.at(1), bits));
  }
  if (std::regex_match(m, atomic)) return atomic_arm64(i, width);
  if (m == "cbnz") {
    const z3::expr is_zero = read(i.operands.at(0), width) == w_.number(0, width);
    if (i.operands.at(1).ends_with('b')) return w_.require(w_.once, guard_, is_zero);
    guard_ = guard_ && is_zero;  // Forward: the rest runs only if the branch is not taken.
    return;
  }
  if (m == "mov") return write(i.operands.at(0), read(i.operands.at(1), width));
  if (const auto operation = arithmetic().find(m); operation != arithmetic().end() && i.operands.size() == 3)
    return write(i.operands[0], operation->second(read(i.operands[1], width), read(i.operands[2], width)));
  throw Unsupported("asm " + m);
}

void Runner::set_condition_outputs() {
  for (AsmOperand* o : operands_) {
    const bool zero = o->constraint.find("@cc") != std::string::npos;
    if (!zero) continue;
    const std::string code = o->constraint.substr(o->constraint.find("@cc") + 3);
    const bool negated = code.starts_with('n');
    const char flag = code.at(negated ? 1 : 0);
    if (flag != 'z' && flag != 'e' && flag != 'c') throw Unsupported("asm condition " + code);
    const z3::expr taken = flag == 'c' ? carry_ : zero_;
    o->value = Value(z3::ite(negated ? !taken : taken, w_.number(1, o->width), w_.number(0, o->width)));
  }
}

}  // namespace

void run_assembly(Machine machine, const std::string& text, std::vector<AsmOperand*>& operands, World& world,
                  const z3::expr& guard) {
  Runner runner(operands, world, guard);
  for (const AsmInstruction& i : parse_assembly(text))
    if (machine == Machine::x86_64)
      runner.x86(i);
    else
      runner.arm64(i);
  runner.set_condition_outputs();
}

}  // namespace ptmc::gate::ir
