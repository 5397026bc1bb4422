#pragma once
// What landscapes are made of, from recorded runs. `hone simulate --recorded bench/results/recorded
// --figures` prints the figures that are marked with (r) from the reports in that folder; the
// others are from bench/results/kernelbench.md, or are assumptions and say so.
namespace hone::search::recorded {

// (r) Of 30 experiments after the first generation of two recorded runs, 6 made their basis faster.
inline constexpr double gaining = 0.20;
// (r) Mean percent of the basis's time that these saved, and that the others cost.
inline constexpr double mean_gain = 5.3, mean_loss = 5.2;
// (r) Mean of realised minus predicted percent, its standard deviation, and half of the mean width
// of a prediction. Predictions say which rewrite is worth 60 % and which change 5 %, and of changes
// alike in size next to nothing (their correlation with what came is -0.15 and 0.03).
inline constexpr double prediction_bias = -3.2, prediction_noise = 11.8,
                        prediction_half_width = 5.5;
// Of 161 first answers to ten problems of KernelBench 129 were accepted
// (bench/results/kernelbench.md). The recorded runs alone would give 1 % (r): they had one task
// each, and a worked example.
inline constexpr double failure = 0.20;
// An assumption: all four failures whose repair was recorded were repaired at the second answer,
// which is too few to count on.
inline constexpr double repair = 0.75;
// Screened times of one kernel on an H200, and a comparison side by side
// (bench/results/kernelbench.md).
inline constexpr double measurement_noise = 0.01, comparison_noise = 0.002;

// Assumptions: the recorded runs were asked by mailbox, so their answers have no times. Seconds.
inline constexpr double writer_seconds = 180, designer_seconds = 90, learner_seconds = 60;
inline constexpr double spread_of_answers = 0.5;  // standard deviation of the logarithm
// What `hone run --dry-run` reckons with.
inline constexpr double judge_seconds = 4, profile_seconds = 10;

}  // namespace hone::search::recorded
