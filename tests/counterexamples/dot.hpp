// As much of the DOT language as we write: https://graphviz.org/doc/info/lang.html
#pragma once
#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ptmc::dot {

using Attributes = std::map<std::string, std::string>;
struct Edge {
  std::string from, to;
  Attributes attributes;
};
struct Graph {
  std::map<std::string, Attributes> nodes;
  std::map<std::string, std::vector<std::string>> clusters;  // Nodes by cluster.
  std::vector<Edge> edges;
  Attributes attributes;
};

/// Throws std::runtime_error for what is no graph.
class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) { next(); }

  Graph parse() {
    take("digraph"), name(), take("{");
    while (token_ != "}") statement("");
    take("}");
    if (!token_.empty()) fail();
    return std::move(graph_);
  }

 private:
  [[noreturn]] void fail() const {
    throw std::runtime_error("no DOT at '" + token_ + "' before: " + text_.substr(at_, 40));
  }

  void next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    quoted_ = false;
    token_.clear();
    if (at_ == text_.size()) return;
    const char c = text_[at_];
    if (c == '"') return string();
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
      while (at_ < text_.size() &&
             (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
        token_ += text_[at_++];
    else if (text_.compare(at_, 2, "->") == 0)
      token_ = "->", at_ += 2;
    else if (std::string("{}[]=,;").find(c) != std::string::npos)
      token_ = c, ++at_;
    else
      throw std::runtime_error(std::string("a stray character: ") + c);
  }
  // What Graphviz will show: escapes and entities undone, "\l" as a line's end.
  void string() {
    quoted_ = true;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\n') throw std::runtime_error("a string over several lines");
      if (text_[at_] == '\\') {
        const char escaped = text_.at(++at_);
        if (std::string("\\\"l").find(escaped) == std::string::npos)
          throw std::runtime_error("unknown escape");
        token_ += escaped == 'l' ? '\n' : escaped;
      } else if (text_[at_] == '&') {
        if (text_.compare(at_, 5, "&amp;") != 0) throw std::runtime_error("an entity");
        token_ += '&', at_ += 4;
      } else {
        token_ += text_[at_];
      }
    }
    if (at_ == text_.size()) throw std::runtime_error("an open string");
    ++at_;
  }

  void take(const std::string& expected) {
    if (quoted_ || token_ != expected) fail();
    next();
  }
  std::string name() {
    if (quoted_ || token_.empty() || (std::isalpha(static_cast<unsigned char>(token_[0])) == 0)) fail();
    std::string found = token_;
    next();
    return found;
  }
  std::string value() {
    if (!quoted_ && (token_.empty() || std::isalnum(static_cast<unsigned char>(token_[0])) == 0)) fail();
    std::string found = token_;
    next();
    return found;
  }
  Attributes attributes() {
    Attributes all;
    if (token_ != "[") return all;
    take("[");
    while (true) {
      const std::string key = name();
      take("=");
      all[key] = value();
      if (token_ == "]") break;
      take(",");
    }
    take("]");
    return all;
  }

  void statement(const std::string& cluster) {
    const std::string first = name();
    if (first == "subgraph") {
      const std::string inner = name();
      take("{");
      while (token_ != "}") statement(inner);
      return take("}");
    }
    if (token_ == "=") {
      take("=");
      const std::string text = value();
      if (cluster.empty()) graph_.attributes[first] = text;
    } else if (token_ == "->") {
      take("->");
      const std::string to = name();
      if (!graph_.nodes.contains(first) || !graph_.nodes.contains(to))
        throw std::runtime_error("an edge of a node that is declared nowhere: " + first + " -> " + to);
      graph_.edges.push_back({first, to, attributes()});
    } else if (first == "node" || first == "edge") {
      attributes();
    } else {
      if (graph_.nodes.contains(first)) throw std::runtime_error("declared twice: " + first);
      graph_.nodes[first] = attributes();
      graph_.clusters[cluster].push_back(first);
    }
    take(";");
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::string token_;
  bool quoted_ = false;
  Graph graph_;
};

inline Graph parse(const std::string& text) { return Parser(text).parse(); }

}  // namespace ptmc::dot
