// JSON Schema of what a description writes: see base/json.h.
#include <nlohmann/json.hpp>

#include "base/json.h"

namespace hone::base {
namespace {

using nlohmann::json;

constexpr std::size_t deepest = 16;  // steps into a type that contains itself

class Schema final : public FieldVisitor {
 public:
  explicit Schema(json& root) : at_{{&root, false}} {}
  Use use() const override { return Use::schema; }
  void object() override {
    if (here().empty()) here()["type"] = "object";
  }
  bool enter(const Field& field) override {
    if (at_.size() > deepest) return false;
    here()["type"] = "object";
    const std::string name(field.name);
    json& required = here()["required"];
    if (required.is_null()) required = json::array();
    if (field.needed && std::find(required.begin(), required.end(), name) == required.end())
      required.push_back(name);
    json& part = here()["properties"][name];
    if (part.is_null()) part = json::object();
    if (!field.about.empty()) part["description"] = field.about;
    at_.push_back({&part, false});
    return true;
  }
  bool enter(std::size_t item) override {
    if (at_.size() > deepest) return false;
    json& part = here().contains("prefixItems") ? here()["prefixItems"][item] : here()["items"];
    part = json::object();
    at_.push_back({&part, false});
    return true;
  }
  void leave() override {
    finish();
    at_.pop_back();
  }
  std::size_t list(std::size_t size, ListKind kind) override {
    here()["type"] = "array";
    if (kind == ListKind::row) {
      here()["prefixItems"] = json::array();
      here()["minItems"] = size;
    }
    return size;
  }
  std::vector<std::string> names() override { return {}; }
  bool null(bool) override {
    at_.back().nullable = true;
    return false;
  }
  void scalar(Scalar value) override {
    static constexpr const char* types[] = {"boolean", "integer", "integer", "number", "string"};
    if (std::holds_alternative<RawJson*>(value)) return;  // anything
    here()["type"] = types[value.index()];
    if (std::holds_alternative<std::uint64_t*>(value)) here()["minimum"] = 0;
    if (!std::holds_alternative<double*>(value)) return;
    here()["type"] = {"number", "string"};
    here()["pattern"] = "^(-?inf|nan)$";  // of a text
  }
  void one_of(const std::vector<std::string_view>& words) override { here()["enum"] = words; }
  [[noreturn]] void refuse(const std::string& why) const override { throw std::logic_error(why); }

  // What may be null is told at the end, when its type is known.
  void finish() {
    if (!at_.back().nullable || !here().contains("type")) return;
    json& type = here()["type"];
    if (!type.is_array()) type = json::array({type});
    type.push_back("null");
    if (here().contains("enum")) here()["enum"].push_back(nullptr);
  }

 private:
  struct Step {
    json* value;
    bool nullable;
  };
  json& here() { return *at_.back().value; }

  std::vector<Step> at_;
};

}  // namespace

std::string write_schema(const Description& value) {
  json root = json::object();
  Schema schema(root);
  Fields fields(schema);
  value(fields);
  schema.finish();
  return root.dump(2) + "\n";
}

}  // namespace hone::base
