// Traces as files: the Informal Trace Format of Apalache (JSON), which other tools read too.
//
// https://apalache-mc.org/docs/adr/015adr-trace.html: `vars`, `states` with one value a variable, integers of
// 2^53 and above as {"#bigint": "..."}, everything else under `#meta`. Each state's #meta carries the step
// that led to it.
#pragma once
#include <stdexcept>
#include <string>

#include "checker/trace.hpp"

namespace ptmc {

/// A file that is no trace of ptmc: says on which line, and what to do about it.
struct TraceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One line a state; the same bytes for the same trace; ends with a newline.
std::string to_itf(const Trace& trace);

/// Throws TraceError ("NAME:LINE: ...") for text that is cut off, is no JSON, is no ITF or no trace of ptmc,
/// or was changed after it was written. `name` is for messages.
/// Edits accepted: steps may have been added, removed or moved by hand; nobody has checked the states then.
enum class Edits : u8 { refused, accepted };
Trace from_itf(const std::string& text, const std::string& name, Edits edits = Edits::refused);

/// The line of state `state` (0: the first) in such a text; of its last line if there are fewer.
std::size_t line_of_state(const std::string& text, std::size_t state);

}  // namespace ptmc
