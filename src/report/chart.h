#pragma once
// A chart of what a run tried, as an SVG text: candidates in the order they were judged on x, their
// time on a logarithmic y, the best so far as a line, failures on a strip below. Readable on light
// and dark pages. Pure.
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hone::report {

struct ChartPoint {
  std::optional<double> seconds;  // nothing: it was not accepted
  std::string outcome;            // "accepted", "wrong", ...: decides the shape of a failure
  std::string label;              // shown when the pointer rests on it
  bool certified = false;
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;  // in the order they were judged
};

struct Chart {
  std::string title;
  std::vector<ChartSeries> series;               // the run; perhaps its control arm
  std::optional<double> seed;                    // seconds: a line to compare with
  std::function<std::string(double)> time_text;  // how a time is written
};

std::string svg(const Chart& chart);

}  // namespace hone::report
