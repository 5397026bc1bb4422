#pragma once
// The values that base/fields.h knows by itself: numbers, texts, lists, maps, what may be missing.
// Included by base/fields.h only.
#include "base/fields.h"

namespace hone::base::detail {

template <typename T, template <typename...> typename Template>
inline constexpr bool is_a = false;
template <template <typename...> typename Template, typename... Types>
inline constexpr bool is_a<Template<Types...>, Template> = true;

template <typename T>
concept List = is_a<T, std::vector> || is_a<T, std::set>;

template <typename T>
concept MayBeMissing = is_a<T, std::optional> || std::is_pointer_v<T>;

template <typename T>
concept Described = requires(Fields& fields, T& value) {
  describe(fields, value);
};

template <typename T>
concept Text = std::is_convertible_v<const T&, std::string_view> && !std::is_same_v<T, std::string>;

}  // namespace hone::base::detail

namespace hone::base {

template <typename T>
bool Fields::is_nothing(const T& value) {
  if constexpr (detail::MayBeMissing<T>)
    return !value;
  else if constexpr (requires { value.empty(); })
    return value.empty();
  else
    return value == T{};
}

template <typename Enum>
void Fields::word(Enum& value, std::string_view what, Enum last) {
  std::vector<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(last); ++i) words.push_back(name_of(static_cast<Enum>(i)));
  std::string text(name_of(value));
  at_.one_of(words);
  at_.scalar(&text);
  if (!reading()) return;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == text) {
      value = static_cast<Enum>(i);
      return;
    }
  fail(ExitCode::bad_input, "it names the {} '{}', which this hone does not know", what, text);
}

template <std::size_t I, typename Variant>
void Fields::emplace(Variant& value, std::size_t index) {
  if constexpr (I < std::variant_size_v<Variant>) {
    if (index == I)
      value.template emplace<I>();
    else
      emplace<I + 1>(value, index);
  }
}

template <typename... Types>
void Fields::choice(std::string_view name, std::variant<Types...>& value, std::string_view what,
                    const std::vector<std::string_view>& words) {
  std::size_t index = value.index();
  const auto word = [&](Fields&) {
    std::string text(words[index]);
    at_.one_of(words);
    at_.scalar(&text);
    for (index = 0; index < words.size() && words[index] != text;) ++index;
    if (index == words.size())
      fail(ExitCode::bad_input, "it names the {} '{}', which this hone does not know", what, text);
  };
  visit({name, {}, true, true}, word);
  if (at_.use() == FieldVisitor::Use::schema) return;
  if (reading()) emplace(value, index);
  std::visit([this](auto& one) { this->value(one); }, value);
}

template <typename Items, typename Each>
void Fields::items(Items& items, Each&& each) {
  using Item = typename std::remove_const_t<Items>::value_type;
  const std::size_t size = at_.list(items.size(), FieldVisitor::ListKind::same);
  const auto visit_item = [&](std::size_t index, auto& one) {
    if (!at_.enter(index)) return;
    const Entered entered{at_};
    each(one);
  };
  std::size_t index = 0;
  if (at_.use() == FieldVisitor::Use::write) {
    for (auto& one : items) visit_item(index++, one);
  } else if (reading()) {
    if constexpr (!std::is_const_v<Items>) {
      items.clear();
      for (; index < size; ++index) {
        Item one{};
        visit_item(index, one);
        items.insert(items.end(), std::move(one));
      }
    }
  } else if constexpr (!std::is_pointer_v<Item>) {
    Item example{};
    visit_item(index, example);
  }
}

template <typename Map>
void Fields::map_value(Map& map) {
  at_.object();
  if (reading()) {
    map.clear();
    for (const auto& name : at_.names()) visit({name, {}, true, true}, map[name]);
  } else {
    for (auto& [name, one] : map) visit({name, {}, true, true}, one);
  }
}

// Through the widest type of its kind; what does not fit the narrower one is refused.
template <typename T>
void Fields::scalar(T& value) {
  using Wide =
      std::conditional_t<std::is_floating_point_v<T>, double,
                         std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;
  auto wide = static_cast<Wide>(value);
  at_.scalar(&wide);
  if (!reading()) return;
  value = static_cast<T>(wide);
  if constexpr (std::is_integral_v<T>)
    if (static_cast<Wide>(value) != wide) at_.refuse("is too large or too small a number");
}

inline void Fields::finite(std::string_view name, double& number) {
  auto checked = [&](Fields&) {
    at_.scalar(&number);
    if (!std::isfinite(number)) at_.refuse("is no number");
  };
  visit({name, {}, true, true}, checked);
}

template <typename T>
void Fields::value(T& given) {
  using Plain = std::remove_const_t<T>;
  if (std::is_const_v<T> && reading() && !std::is_invocable_v<T&, Fields&>) return;
  if constexpr (std::is_invocable_v<T&, Fields&>) {
    given(*this);
    at_.object();
  } else if constexpr (detail::Text<Plain>) {
    std::string text{std::string_view(given)};
    at_.scalar(&text);
  } else {
    auto& value = const_cast<Plain&>(given);  // only to be written: see above
    if constexpr (std::is_same_v<Plain, bool> || std::is_same_v<Plain, std::string> ||
                  std::is_same_v<Plain, RawJson>) {
      at_.scalar(&value);
    } else if constexpr (std::is_arithmetic_v<Plain>) {
      scalar(value);
    } else if constexpr (std::is_same_v<Plain, std::filesystem::path>) {
      std::string text = value.string();
      at_.scalar(&text);
      if (reading()) value = text;
    } else if constexpr (detail::MayBeMissing<Plain>) {
      if (at_.null(!value)) {
        if (reading()) value = {};
      } else if constexpr (detail::is_a<Plain, std::optional>) {
        if constexpr (std::is_default_constructible_v<typename Plain::value_type>)
          if (!value) value.emplace();
        if (value) this->value(*value);
      } else if (value != nullptr) {
        this->value(*value);
      }
    } else if constexpr (detail::List<Plain>) {
      items(value, [this](auto& one) { this->value(one); });
    } else if constexpr (detail::is_a<Plain, std::map>) {
      map_value(value);
    } else if constexpr (requires { std::tuple_size<Plain>::value; }) {  // a pair, an array
      std::apply([this](auto&... parts) { this->row(parts...); }, value);
    } else if constexpr (detail::is_a<Plain, std::variant> && !detail::Described<Plain>) {
      std::visit([this](auto& one) { this->value(one); }, value);  // written only
    } else {
      describe(*this, value);
      at_.object();
    }
  }
}

}  // namespace hone::base
