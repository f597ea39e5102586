#include "checker/gate/conform.hpp"

#include <algorithm>
#include <optional>

#include "checker/gate/coverage.hpp"
#include "checker/gate/harness.hpp"
#ifdef PTMC_HAVE_LLVM
#include "checker/gate/compare.hpp"
#endif

namespace ptmc::gate {

Exit exit_of(const ConformReport& report) {
  if (!report.unavailable.empty()) return Exit::uncovered;
  u64 count[verdict_count] = {};
  for (const ConformArch& a : report.archs)
    for (const HelperReport& h : a.helpers) ++count[static_cast<unsigned>(h.verdict)];
  const auto of = [&](Verdict v) { return count[static_cast<unsigned>(v)]; };
  if (of(Verdict::violated) > 0) return Exit::failed;
  if (of(Verdict::unknown) > 0) return Exit::inconclusive;
  return of(Verdict::proved) > 0 ? Exit::ok : Exit::uncovered;
}

#ifndef PTMC_HAVE_LLVM

ConformReport conform(const ConformOptions&) {
  ConformReport report;
  report.unavailable = "built without LLVM; install clang-14 and llvm-14-dev, then configure again";
  return report;
}

#else

namespace {

// Code out of line that helpers call.
std::vector<std::string> other_files(const std::string& arch) {
  if (arch == "arm64") return {"arch/arm64/mm/fault.c", "arch/arm64/mm/mmap.c", "arch/arm64/mm/mmu.c"};
  return {"arch/x86/mm/pgtable.c", "arch/x86/mm/pgprot.c"};
}

// A static function that a wrapper calls is made visible; later versions have it so themselves.
const Edit exposed = {"arch/arm64/mm/mmu.c", "", "static bool pgattr_change_is_safe",
                      "bool pgattr_change_is_safe"};

std::vector<Edit> with_exposed(const Build& build, std::vector<Edit> edits) {
  const auto file = build.source / exposed.file;
  if (std::filesystem::exists(file) && read_file(file).find(exposed.pattern) != std::string::npos)
    edits.push_back(exposed);
  return edits;
}

words::Layout layout_for(const std::string& arch, const std::string& version) {
  for (const words::Layout layout : words::layouts)
    if (words::name_of(layout).family == arch && words::name_of(layout).kernel == version) return layout;
  throw InternalError("no layout for " + arch + " " + version);
}

// The wrapper that stands for the helper: the first form that compiled. Null: the reason says why there is
// none.
std::optional<Probe> choose(const std::vector<Probe>& forms, const Probed& probed, HelperReport& report) {
  for (const Probe& form : forms)
    if (!probed.missing.count(form.function)) return form;
  const std::string& message = probed.missing.at(forms.back().function);
  const bool absent = says_absent(message, forms.back().kernel);
  report.verdict = absent ? Verdict::n_a : Verdict::unknown;
  report.reason = absent ? "not in this tree, architecture or configuration" : "clang: " + message;
  return {};
}

ConformArch conform_arch(const ConformOptions& options, const Tree& tree, const Snapshot& snapshot,
                         const std::filesystem::path& cache, const std::string& arch) {
  const words::Layout layout = layout_for(arch, layout_of(tree));
  const Build build = configure(tree, snapshot, arch, cache, options.progress);
  ConformArch out;
  out.arch = arch;
  out.layout = words::name_of(layout).name;
  out.compiler = build.compiler;
  out.config = build.notes;

  options.progress("compiling the helpers for " + arch);
  std::vector<Probe> probes;
  for (const words::Helper& helper : words::helpers(layout))
    for (const Probe& probe : probes_of(helper, arch)) probes.push_back(probe);
  for (const std::string& name : feature_names(arch)) probes.push_back(constant_probe(name));
  const std::vector<Edit> edits = with_exposed(build, options.edits);
  const Probed probed = compile_probes(build, probes, edits);

  z3::context context;
  ir::Module module(context, probed.module.string());
  for (const std::string& file : other_files(arch)) {
    if (!std::filesystem::exists(build.source / file)) continue;
    const Compiled compiled = compile(build, build.source / file, edits);
    if (compiled.module.empty())
      throw InputError(file + " does not compile:\n" + compiled.diagnostics.substr(0, 2000));
    module.link(compiled.module.string());
  }
  Comparison shared{layout, {}, options.solver_steps_max, {}, {}};
  for (const std::string& name : feature_names(arch))
    if (const std::string f = constant_probe(name).function; module.defines(f))
      shared.features.emplace(module.evaluate(f, {}, {}).result.simplify().get_numeral_uint64(), name);

  options.progress("proving the helpers of " + arch);
  for (const words::Helper& helper : words::helpers(layout)) {
    HelperReport report;
    report.helper = helper.name;
    if (const auto form = choose(probes_of(helper, arch), probed, report)) {
      report = compare(shared, module, context, helper, form->function);
      report.kernel = form->kernel;
    }
    out.helpers.push_back(std::move(report));
  }
  out.cpus.assign(shared.cpus.begin(), shared.cpus.end());
  out.skipped.assign(shared.skipped.begin(), shared.skipped.end());
  out.opcodes = module.opcodes();
  out.uncovered = uncovered_helpers(build.source, arch, words::helpers(layout));
  return out;
}

}  // namespace

ConformReport conform(const ConformOptions& options) {
  if (options.arch != "all" && options.arch != "x86_64" && options.arch != "arm64")
    throw InputError("no architecture " + options.arch + ": x86_64, arm64 or all");
  const Tree tree = open_tree(options.tree);
  layout_of(tree);
  const std::filesystem::path cache =
      options.cache.empty() ? default_cache() : std::filesystem::absolute(options.cache);
  const Snapshot snapshot = take_snapshot(tree, cache, options.progress);
  ConformReport report;
  report.release = tree.release + (tree.mini ? " (mini tree)" : "");
  report.hash = snapshot.hash;
  for (const Edit& e : options.edits)
    report.edits.push_back(e.file + (e.function.empty() ? "" : ":" + e.function) + ": " + e.pattern + " -> " +
                           e.text);
  for (const std::string arch : {"x86_64", "arm64"})
    if (options.arch == "all" || options.arch == arch)
      report.archs.push_back(conform_arch(options, tree, snapshot, cache, arch));
  return report;
}

#endif

}  // namespace ptmc::gate
