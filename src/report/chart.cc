#include "report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hone::report {
namespace {

// The sheet, in its own units.
constexpr double width = 880, height = 462, left = 84, right = 24, top = 46, bottom = 118;
constexpr double plot_width = width - left - right, plot_height = height - top - bottom;
constexpr double strip = height - bottom + 18;  // where failures stand
constexpr std::size_t most_series = 2;

// Two colours that differ for colour-blind readers too, one pair for each kind of page.
constexpr const char* style = R"(<style>
text { font: 12px system-ui, sans-serif; fill: #24292f; }
.title { font-size: 14px; font-weight: 600; }
.grid { stroke: #d0d7de; stroke-width: 1; }
.seed { stroke: #6e7781; stroke-width: 1; stroke-dasharray: 5 4; }
.best { fill: none; stroke-width: 2; }
.s0 { stroke: #0969da; } .s1 { stroke: #bc4c00; }
.p0 { fill: #0969da; fill-opacity: 0.55; } .p1 { fill: #bc4c00; fill-opacity: 0.55; }
.failed { fill: none; stroke-width: 1.6; }
.certified { fill: none; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.grid { stroke: #30363d; }
.seed { stroke: #8b949e; }
.s0 { stroke: #58a6ff; } .s1 { stroke: #f0883e; }
.p0 { fill: #58a6ff; } .p1 { fill: #f0883e; }
}
</style>
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += static_cast<unsigned char>(c) < 0x20 ? ' '
                                                  : c;  // XML has no way to say control characters
  }
  return out;
}

struct Scale {
  double low = 0, high = 0;  // logarithms
  std::size_t count = 1;     // candidates on x

  double x(std::size_t index) const {
    return left + plot_width * (static_cast<double>(index) + 0.5) / static_cast<double>(count);
  }
  double y(double seconds) const {
    return top + plot_height * (high - std::log10(seconds)) / (high - low);
  }
};

Scale scale_of(const Chart& chart) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  Scale scale;
  const auto take = [&](const std::optional<double>& seconds) {
    if (!seconds || !(*seconds > 0)) return;
    least = std::min(least, *seconds);
    most = std::max(most, *seconds);
  };
  take(chart.seed);
  for (const ChartSeries& series : chart.series) {
    scale.count = std::max(scale.count, series.points.size());
    for (const ChartPoint& point : series.points) take(point.seconds);
  }
  if (most == 0) least = most = 1;
  constexpr double air = 0.04, least_span = 0.1;  // in decades: equal times do not fill the sheet
  scale.low = std::log10(least) - air;
  scale.high = std::max(std::log10(most) + air, scale.low + least_span);
  return scale;
}

// Steps of 1, 2, 5 in every decade; finer ones where that would leave fewer than three lines.
std::vector<double> ticks(const Scale& scale) {
  std::vector<double> found;
  for (const auto& steps :
       {std::vector<double>{1}, std::vector<double>{1, 2, 5},
        std::vector<double>{1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9}}) {
    found.clear();
    for (int decade = static_cast<int>(std::floor(scale.low));
         decade <= static_cast<int>(std::ceil(scale.high)); ++decade)
      for (const double step : steps) {
        const double logarithm = decade + std::log10(step);
        if (logarithm >= scale.low && logarithm <= scale.high)
          found.push_back(std::pow(10.0, logarithm));
      }
    if (found.size() >= 3) break;
  }
  return found;
}

std::string axes(const Chart& chart, const Scale& scale) {
  std::string out;
  for (const double tick : ticks(scale)) {
    const double y = scale.y(tick);
    out += fmt::format("<line class=\"grid\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/>\n",
                       left, y, width - right, y);
    out += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 8,
                       y + 4, escaped(chart.time_text(tick)));
  }
  const std::size_t step = std::max<std::size_t>(1, (scale.count + 9) / 10);
  for (std::size_t i = 0; i < scale.count; i += step)
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                       scale.x(i), strip + 26, i + 1);
  out +=
      fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"middle\">candidates judged</text>\n",
                  left + plot_width / 2, strip + 46);
  out += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">failed</text>\n", left - 8,
                     strip + 4);
  if (chart.seed && *chart.seed > 0) {
    const double y = scale.y(*chart.seed);
    out += fmt::format("<line class=\"seed\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/>\n",
                       left, y, width - right, y);
    out += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">seed</text>\n",
                       width - right, y - 5);
  }
  return out;
}

// Failures by kind, each with a shape of its own, drawn from the left upper corner of a square
// of 6.
struct Shape {
  const char *name, *path;
  std::vector<std::string_view> outcomes;
};
const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{
      {"did not build or start", "h6v6h-6z", {"build_failed", "launch_failed"}},
      {"wrong", "l6 6m0 -6l-6 6", {"wrong"}},
      {"crashed or timed out", "m3 0l3 6h-6z", {"crashed", "timed_out"}},
      {"undecided", "m3 0a3 3 0 1 0 .01 0z", {"undecided"}},
      {"refused", "m3 0l3 3l-3 3l-3 -3z", {}},  // cheating, below the floor, rejected
  };
  return all;
}
const Shape& shape_of(const std::string& outcome) {
  for (const Shape& shape : shapes())
    if (std::find(shape.outcomes.begin(), shape.outcomes.end(), outcome) != shape.outcomes.end())
      return shape;
  return shapes().back();
}

std::string failure_legend(const Chart& chart) {
  std::string out;
  double x = left - 3;
  for (const Shape& shape : shapes()) {
    bool met = false;
    for (const ChartSeries& series : chart.series)
      for (const ChartPoint& point : series.points)
        met = met || (!point.seconds && &shape_of(point.outcome) == &shape);
    if (!met) continue;
    out +=
        fmt::format("<path class=\"failed s0\" d=\"M{} {}{}\"/><text x=\"{}\" y=\"{}\">{}</text>\n",
                    x, height - 21, shape.path, x + 10, height - 14, shape.name);
    x += 30 + 6.2 * static_cast<double>(std::string_view(shape.name).size());
  }
  return out;
}

std::string mark(const ChartPoint& point, double x, const Scale& scale, std::size_t which) {
  const std::string title = fmt::format("<title>{}</title>", escaped(point.label));
  if (!point.seconds || !(*point.seconds > 0)) {
    const double y = strip + 8 * static_cast<double>(which);
    return fmt::format("<path class=\"failed s{}\" d=\"M{:.1f} {:.1f}{}\">{}</path>\n", which,
                       x - 3, y - 3, shape_of(point.outcome).path, title);
  }
  const double y = scale.y(*point.seconds);
  std::string out =
      fmt::format("<circle class=\"p{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\">{}</circle>\n", which,
                  x, y, title);
  if (point.certified)
    out += fmt::format("<circle class=\"certified s{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"8\"/>\n",
                       which, x, y);
  return out;
}

std::string drawn(const ChartSeries& series, const Scale& scale, std::size_t which) {
  std::string marks, path;
  std::optional<double> best;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const ChartPoint& point = series.points[i];
    const double x = scale.x(i);
    marks += mark(point, x, scale, which);
    if (point.seconds && *point.seconds > 0 && (!best || *point.seconds < *best)) {
      path += best ? fmt::format("H{:.1f}V{:.1f}", x, scale.y(*point.seconds))
                   : fmt::format("M{:.1f} {:.1f}", x, scale.y(*point.seconds));
      best = point.seconds;
    }
  }
  if (best) path += fmt::format("H{:.1f}", scale.x(series.points.size() - 1));
  const double legend_x = left + 250 * static_cast<double>(which), legend_y = height - 34;
  return fmt::format("<path class=\"best s{}\" d=\"{}\"/>\n{}", which, path, marks) +
         fmt::format(
             "<circle class=\"p{}\" cx=\"{}\" cy=\"{}\" r=\"4\"/>\n<text x=\"{}\" "
             "y=\"{}\">{}</text>\n",
             which, legend_x, legend_y - 4, legend_x + 10, legend_y, escaped(series.name));
}

}  // namespace

std::string svg(const Chart& chart) {
  const Scale scale = scale_of(chart);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\">\n"
      "<title>{2}</title>\n{3}<text class=\"title\" x=\"{4}\" y=\"24\">{2}</text>\n",
      width, height, escaped(chart.title), style, left);
  out += axes(chart, scale);
  for (std::size_t i = 0; i < std::min(chart.series.size(), most_series); ++i)
    out += drawn(chart.series[i], scale, i);
  return out + failure_legend(chart) + "</svg>\n";
}

}  // namespace hone::report
