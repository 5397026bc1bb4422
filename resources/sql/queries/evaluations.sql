-- name: insert_device
INSERT INTO devices (uuid, name) VALUES (?1, ?2) ON CONFLICT (uuid) DO NOTHING;

-- name: device_row
SELECT id FROM devices WHERE uuid = ?1;

-- name: insert_evaluation
INSERT INTO evaluations (id, identity, candidate, task, task_name, device, driver, compiler,
  protocol, depth, point, cases, outcome, geomean,
                         seconds_total, seconds_build, seconds_kernels, seconds_reference, created,
                           build_log, build_log_object)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
  ?21);

-- name: insert_evidence
INSERT INTO evidence (evaluation, ord, guard, trust_row, convicts, case_name, text)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- name: insert_case
INSERT INTO case_results (evaluation, ord, name, timed, median, interval_low, interval_high,
  wall_median, first_call, bytes, flops,
                          flops_by_kind, bandwidth, rate, ceiling_fraction, ceiling, error_max,
                            error_rms, honest_rms, samples, wall_samples)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
  ?21);

-- name: insert_tag
INSERT INTO metric_tags (tag, hint) VALUES (?1, ?2) ON CONFLICT DO NOTHING;

-- name: tag_row
SELECT id FROM metric_tags WHERE tag = ?1 AND hint = ?2;

-- name: insert_metric
INSERT INTO metrics (evaluation, ord, tag, value, missing, case_name, launch, line)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- name: evaluation_row
SELECT seq FROM evaluations WHERE id = ?1;

-- name: newest_of_identity
-- What is undecided answers nothing: the next evaluation of the same thing is made.
SELECT id FROM evaluations WHERE identity = ?1 AND outcome <> 'undecided' ORDER BY seq DESC LIMIT 1;

-- name: get_evaluation
SELECT e.seq, e.id, e.created, t.name, c.name, d.name, c.hash, e.point, e.cases, t.hash, d.uuid,
  e.driver, e.compiler, e.protocol, e.depth,
       e.outcome, e.geomean, e.seconds_total, e.seconds_build, e.seconds_kernels,
         e.seconds_reference, e.build_log, e.build_log_object
FROM evaluations e JOIN tasks t ON t.id = e.task JOIN candidates c ON c.id = e.candidate
  JOIN devices d ON d.id = e.device WHERE e.id = ?1;

-- name: get_evidence
SELECT guard, trust_row, convicts, case_name, text FROM evidence WHERE evaluation = ?1 ORDER BY ord;

-- name: get_cases
SELECT name, timed, median, interval_low, interval_high, wall_median, first_call, bytes, flops,
  flops_by_kind, bandwidth, rate,
       ceiling_fraction, ceiling, error_max, error_rms, honest_rms, samples, wall_samples
FROM case_results WHERE evaluation = ?1 ORDER BY ord;

-- name: get_metrics
SELECT t.tag, t.hint, m.value, m.missing, m.case_name, m.launch, m.line
FROM metrics m JOIN metric_tags t ON t.id = m.tag WHERE m.evaluation = ?1 ORDER BY m.ord;

-- The lists: ?1 is the seq to stop before, ?2 how many lines at most. One statement for each
-- filter, because each has its index.

-- name: list_evaluations
SELECT * FROM evaluation_lines WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2;

-- name: list_evaluations_of_task
SELECT * FROM evaluation_lines WHERE seq < ?1 AND task_name = ?3 ORDER BY seq DESC LIMIT ?2;

-- name: list_evaluations_with_outcome
SELECT * FROM evaluation_lines WHERE seq < ?1 AND outcome = ?3 ORDER BY seq DESC LIMIT ?2;

-- name: list_evaluations_of_task_with_outcome
SELECT * FROM evaluation_lines WHERE seq < ?1 AND task_name = ?3 AND outcome = ?4 ORDER BY seq DESC
  LIMIT ?2;

-- name: list_evaluations_of_candidate
SELECT * FROM evaluation_lines WHERE seq < ?1 AND candidate = (SELECT id FROM candidates
  WHERE hash = ?3) ORDER BY seq DESC LIMIT ?2;

-- name: best_evaluation
SELECT * FROM evaluation_lines
WHERE task = (SELECT id FROM tasks WHERE hash = ?1) AND device = (SELECT id FROM devices
  WHERE uuid = ?2) AND protocol = ?3 AND depth = ?4
  AND outcome = 'accepted' AND cases = '[]' AND geomean IS NOT NULL
ORDER BY geomean;

-- name: standing_evaluations
-- Of candidate ?1, for each task, device and point: the evaluation whose verdict stands
-- (src/store/standing.h). The newest protocol first, then the depth, then the latest. Of
-- acceptances only those over all cases or over just ?2 (JSON), with a metric ?3 if that is not ''.
-- `rejected` is no verdict where nothing convicts: the point was stopped early by a tuner
-- (judge::stopped_early, whose words these are), or never judged. `undecided` never is one.
SELECT id, task, device, point, depth, outcome
FROM (SELECT e.id, t.hash AS task, d.uuid AS device, e.point, e.depth, e.outcome, e.seq,
             row_number() OVER (PARTITION BY e.task, e.device, e.point
                                ORDER BY e.protocol DESC, e.depth = 'certify' DESC,
                                  e.seq DESC) AS place
      FROM evaluations e JOIN tasks t ON t.id = e.task JOIN devices d ON d.id = e.device
      WHERE e.candidate = (SELECT id FROM candidates WHERE hash = ?1)
        AND CASE e.outcome
              WHEN 'accepted' THEN e.cases IN ('[]', ?2)
                AND (?3 = '' OR EXISTS (SELECT 1 FROM metrics m JOIN metric_tags g ON g.id = m.tag
                  WHERE m.evaluation = e.seq AND g.tag = ?3))
              WHEN 'rejected' THEN EXISTS (SELECT 1 FROM evidence v
                WHERE v.evaluation = e.seq AND v.convicts
                                           AND v.text <>
                                             'given up: hopelessly slower than the best so far')
              WHEN 'undecided' THEN 0
              ELSE 1
            END)
WHERE place = 1 ORDER BY seq DESC;
