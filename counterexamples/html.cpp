#include "counterexamples/html.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "counterexamples/page/page.hpp"
#include "counterexamples/state_view.hpp"
#include "counterexamples/text.hpp"

namespace ptmc {
namespace {

using Json = nlohmann::ordered_json;

// Text between tags or in a quoted attribute.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  return out;
}

// JSON that ends no script element and begins no comment in one, whatever its strings say.
std::string embedded(const Json& json) {
  std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  for (const auto& [from, to] : {std::pair{"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}})
    text = replaced(text, from, to);
  return text;
}

Json steps_json(const Trace& trace, const Columns& columns, const Voice& voice) {
  const std::vector<Told> told = tell(trace, columns, voice);
  std::vector<unsigned> depths(columns.all.size());
  Json steps = Json::array();
  for (std::size_t k = 0; k < told.size(); ++k) {
    const Told& t = told[k];
    const Action& a = trace.steps[k].action;
    const std::string short_name = label({"", a.step.substr(a.step.rfind('/') + 1), a.instance});
    depths[columns.of[k]] = t.depth;
    Json step{{"column", columns.of[k]}};
    step["text"] = t.text.empty() ? short_name
                                  : (t.edge == Scope::Edge::closes ? "} " : "") + t.whole() +
                                        (t.edge == Scope::Edge::opens ? " {" : "");
    step["name"] = label(a);
    step["silent"] = t.text.empty();
    step["depths"] = depths;
    steps.push_back(std::move(step));
    depths[columns.of[k]] = t.depth_after();
  }
  return steps;
}

Json tables_json(const Trace& trace, const Columns& columns, const Voice& voice) {
  Json tables = Json::array();
  for (const StateTable& t : state_tables(trace, columns, voice)) {
    Json rows = Json::array();
    for (const StateTable::Row& r : t.rows) {
      Json cells = Json::array();
      for (const Cell& c : r.cells) {
        Json values = Json::array();
        for (const Cell::Since& s : c.values) values.push_back({s.state, s.text});
        cells.push_back({{"word", c.word}, {"values", std::move(values)}});
      }
      rows.push_back({{"name", r.name}, {"cells", std::move(cells)}});
    }
    tables.push_back({{"title", t.title}, {"leaves", t.leaves}, {"rows", std::move(rows)}, {"news", t.news}});
  }
  return tables;
}

Json data(const Trace& trace, const Columns& columns, const Voice& voice, const Account& account) {
  Json names = Json::array();
  for (std::size_t c = 0; c < columns.all.size(); ++c) names.push_back(column_name(columns, c, voice));
  return {{"columns", std::move(names)},
          {"steps", steps_json(trace, columns, voice)},
          {"tables", tables_json(trace, columns, voice)},
          {"ending", account.ending},
          {"culprit", account.culprit},
          {"bad", trace.ending != Trace::Ending::reached}};
}

// In one pass: what is filled in is not looked through again.
std::string filled(std::string_view form, const std::map<std::string_view, std::string>& parts) {
  std::string page;
  for (std::size_t at = 0;;) {
    const std::size_t open = form.find("{{", at);
    page += form.substr(at, open - at);
    if (open == std::string_view::npos) return page;
    const std::size_t close = form.find("}}", open);
    page += parts.at(form.substr(open + 2, close - open - 2));
    at = close + 2;
  }
}

}  // namespace

std::string to_html(const Trace& trace, const Columns& columns, const Voice& voice, const Heading& heading) {
  const Account account = account_of(trace, columns, voice, heading);
  std::string facts;
  for (const Account::Fact& f : account.facts)
    facts += "<dt>" + escaped(f.name) + "</dt><dd>" + escaped(f.text) + "</dd>";
  if (!heading.again.empty())
    facts += "<dt>Reproduce</dt><dd class=\"code\">" + escaped(heading.again) + "</dd>";
  std::string finding = "<p><strong>" + escaped(account.ending) + "</strong></p>";
  if (!account.culprit.empty()) finding += "<p>" + escaped(account.culprit) + "</p>";
  return filled(page::html, {{"title", escaped(account.title)},
                             {"style", page::style},
                             {"facts", facts},
                             {"finding", finding},
                             {"text", escaped(print(trace, columns, voice, heading).whole())},
                             {"data", embedded(data(trace, columns, voice, account))},
                             {"script", page::script}});
}

}  // namespace ptmc
