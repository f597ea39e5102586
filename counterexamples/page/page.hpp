// The parts of the page that do not depend on the trace: the files beside this one, which CMake embeds.
#pragma once

namespace ptmc::page {

/// With {{title}}, {{style}}, {{facts}}, {{finding}}, {{text}}, {{data}} and {{script}} to be filled in.
extern const char* const html;
extern const char* const style;
extern const char* const script;

}  // namespace ptmc::page
