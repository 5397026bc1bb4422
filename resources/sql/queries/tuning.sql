-- name: insert_tuning_run
INSERT INTO tuning_runs (id, task, candidate, device, driver, compiler, protocol, settings, created)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9);

-- name: tuning_run_row
SELECT seq FROM tuning_runs WHERE id = ?1;

-- name: insert_tuning_point
INSERT INTO tuning_points (run, evaluation) VALUES (?1, ?2) ON CONFLICT DO NOTHING;

-- name: insert_tuning_state
INSERT INTO tuning_states (run, state, note, winner_evaluation, winner_candidate, created)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6);

-- name: tuning_runs_by_prefix
SELECT id FROM tuning_runs WHERE id >= ?1 AND id < ?1 || 'g' LIMIT ?2;

-- name: get_tuning_run
SELECT r.seq, r.id, r.created, t.hash, t.name, c.hash, c.name, d.uuid, d.name, r.driver, r.compiler,
  r.protocol, r.settings
FROM tuning_runs r JOIN tasks t ON t.id = r.task JOIN candidates c ON c.id = r.candidate
  JOIN devices d ON d.id = r.device WHERE r.id = ?1;

-- name: tuning_state
SELECT s.state, s.note, e.id, c.hash, s.created
FROM tuning_states s LEFT JOIN evaluations e ON e.seq = s.winner_evaluation LEFT
  JOIN candidates c ON c.id = s.winner_candidate
WHERE s.run = ?1 ORDER BY s.seq DESC LIMIT 1;

-- name: tuning_runs_of
SELECT id FROM tuning_runs
WHERE candidate = (SELECT id FROM candidates WHERE hash = ?1) AND task = (SELECT id FROM tasks
  WHERE hash = ?2)
  AND device = (SELECT id FROM devices WHERE uuid = ?3)
ORDER BY seq DESC;

-- name: list_tuning_runs
SELECT id FROM tuning_runs ORDER BY seq DESC LIMIT ?1;

-- name: tuning_points
SELECT l.*
FROM tuning_points p JOIN evaluation_lines l ON l.seq = p.evaluation WHERE p.run = ?1
  ORDER BY p.seq;
