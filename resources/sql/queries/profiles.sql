-- name: insert_profile
INSERT INTO profiles (id, candidate, task, device, driver, compiler, protocol, point, case_name,
  seconds, bound, created, body, body_object)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14);

-- name: insert_profile_metric
INSERT INTO profile_metrics (profile, ord, tag, value, missing, case_name, launch, line)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- name: insert_advice
INSERT INTO advice (profile, ord, id, tool, severity, title, evidence, cause, recommendation,
  launch, lines, gain_low, gain_high, model)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14);

-- name: profile_row
SELECT seq FROM profiles WHERE id = ?1;

-- name: get_profile
SELECT p.seq, p.id, p.created, t.name, c.name, d.name, c.hash, p.point, t.hash, d.uuid, p.driver,
  p.compiler, p.protocol, p.case_name, p.seconds,
       p.body, p.body_object
FROM profiles p JOIN tasks t ON t.id = p.task JOIN candidates c ON c.id = p.candidate
  JOIN devices d ON d.id = p.device WHERE p.id = ?1;

-- name: get_profile_metrics
SELECT t.tag, t.hint, m.value, m.missing, m.case_name, m.launch, m.line
FROM profile_metrics m JOIN metric_tags t ON t.id = m.tag WHERE m.profile = ?1 ORDER BY m.ord;

-- name: get_advice
SELECT id, tool, severity, title, evidence, cause, recommendation, launch, lines, gain_low,
  gain_high, model
FROM advice WHERE profile = ?1 ORDER BY ord;

-- name: list_profiles
SELECT p.id, p.created, t.name, c.hash, c.name, p.case_name, p.seconds, p.bound, d.name,
  (SELECT count(*) FROM advice a WHERE a.profile = p.seq)
FROM profiles p JOIN tasks t ON t.id = p.task JOIN candidates c ON c.id = p.candidate
  JOIN devices d ON d.id = p.device
ORDER BY p.seq DESC LIMIT ?1;

-- name: list_profiles_of_candidate
SELECT p.id, p.created, t.name, c.hash, c.name, p.case_name, p.seconds, p.bound, d.name,
  (SELECT count(*) FROM advice a WHERE a.profile = p.seq)
FROM profiles p JOIN tasks t ON t.id = p.task JOIN candidates c ON c.id = p.candidate
  JOIN devices d ON d.id = p.device
WHERE p.candidate = (SELECT id FROM candidates WHERE hash = ?2) ORDER BY p.seq DESC LIMIT ?1;

-- name: advice_row
SELECT a.seq FROM advice a JOIN profiles p ON p.seq = a.profile WHERE p.id = ?1 AND a.id = ?2;

-- name: insert_shown
INSERT INTO advice_shown (run, generation, member, profile, created)
  VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (run, generation) DO NOTHING;

-- name: insert_cited
INSERT INTO advice_cited (experiment, advice, created)
  VALUES (?1, ?2, ?3) ON CONFLICT (experiment, advice) DO NOTHING;

-- name: insert_realised
INSERT INTO advice_realised (experiment, member, outcome, gain, created)
  VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (experiment) DO NOTHING;

-- name: citations_of_run
SELECT e.seq, e.generation, a.id, a.tool, a.title, a.gain_low, a.gain_high, p.id, p.case_name,
  r.member, r.outcome, r.gain
FROM experiments e JOIN advice_cited c ON c.experiment = e.seq JOIN advice a ON a.seq = c.advice
  JOIN profiles p ON p.seq = a.profile
     LEFT JOIN advice_realised r ON r.experiment = e.seq
WHERE e.run = ?1 ORDER BY e.seq, a.ord;

-- name: shown_in_run
SELECT s.generation, s.member, p.id FROM advice_shown s JOIN profiles p ON p.seq = s.profile
  WHERE s.run = ?1 ORDER BY s.seq;

-- name: tools_fired
SELECT tool, count(*), coalesce(avg(gain_high - gain_low), 0.0) FROM advice GROUP BY tool;

-- name: tools_shown
SELECT a.tool, count(*) FROM advice_shown s JOIN advice a ON a.profile = s.profile GROUP BY a.tool;

-- name: tools_cited
-- Right: at least the low end was gained, or the middle where the low end (below 1 %) promises
-- nothing. Covered: the gain lies in the interval.
SELECT a.tool, count(*), count(r.gain),
       count(*) FILTER (WHERE r.gain >= CASE WHEN a.gain_low < 1 THEN (a.gain_low + a.gain_high) / 2
         ELSE a.gain_low END),
       count(*) FILTER (WHERE r.gain BETWEEN a.gain_low AND a.gain_high), coalesce(avg(r.gain), 0.0)
FROM advice_cited c JOIN advice a ON a.seq = c.advice LEFT
  JOIN advice_realised r ON r.experiment = c.experiment
GROUP BY a.tool;
