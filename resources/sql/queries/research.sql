-- name: insert_research_run
INSERT INTO research_runs (id, task, device, settings, created) VALUES (?1, ?2, ?3, ?4, ?5);

-- name: insert_research_state
INSERT INTO research_states (run, state, note, created) VALUES (?1, ?2, ?3, ?4);

-- name: research_run_row
SELECT seq FROM research_runs WHERE id = ?1;

-- name: research_runs_by_prefix
SELECT id FROM research_runs WHERE id >= ?1 AND id < ?1 || 'g' LIMIT ?2;

-- name: list_research_runs
SELECT id FROM research_runs ORDER BY seq DESC LIMIT ?1;

-- name: get_research_run
SELECT r.seq, r.id, r.created, t.hash, t.name, d.uuid, d.name, r.settings
FROM research_runs r JOIN tasks t ON t.id = r.task JOIN devices d ON d.id = r.device
  WHERE r.id = ?1;

-- name: research_state
SELECT state, note, created FROM research_states WHERE run = ?1 ORDER BY seq DESC LIMIT 1;

-- name: times_of_run
-- When something of a run was recorded, and how its state changed, in order of time.
SELECT created, state FROM research_states WHERE run = ?1
UNION ALL SELECT created, '' FROM calls WHERE run = ?1
UNION ALL SELECT e.created, '' FROM calls c JOIN call_ends e ON e.call = c.seq WHERE c.run = ?1
UNION ALL SELECT created, '' FROM members WHERE run = ?1
UNION ALL SELECT e.created, '' FROM member_evaluations l JOIN evaluations e ON e.seq = l.evaluation
  WHERE l.run = ?1
UNION ALL SELECT created, '' FROM decisions WHERE run = ?1
UNION ALL SELECT created, '' FROM journal WHERE run = ?1
ORDER BY 1;

-- name: insert_call
INSERT INTO calls (run, step, role, model, template_hash, reserved_usd, created, prompt,
  prompt_object) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9);

-- name: insert_call_end
INSERT INTO call_ends (call, answered, fault, model, stop, tokens_in, tokens_out, tokens_cached,
  usd, seconds, created, text, text_object, arguments,
                       arguments_object)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
  ON CONFLICT (call) DO NOTHING;

-- name: answer_to
SELECT e.answered, e.fault, e.model, e.stop, e.tokens_in, e.tokens_out, e.tokens_cached, e.usd,
  e.seconds, e.text, e.text_object, e.arguments,
       e.arguments_object
FROM calls c JOIN call_ends e ON e.call = c.seq WHERE c.run = ?1 AND c.step = ?2 AND e.answered
  ORDER BY c.seq LIMIT 1;

-- name: calls_of_run
SELECT c.seq, c.created, c.step, c.role, c.model, c.template_hash, c.reserved_usd,
  e.call IS NOT NULL,
       e.answered, e.fault, e.model, e.stop, e.tokens_in, e.tokens_out, e.tokens_cached, e.usd,
         e.seconds
FROM calls c LEFT JOIN call_ends e ON e.call = c.seq WHERE c.run = ?1 ORDER BY c.seq;

-- name: call_texts
SELECT c.prompt, c.prompt_object, e.text, e.text_object, e.arguments, e.arguments_object
FROM calls c LEFT JOIN call_ends e ON e.call = c.seq WHERE c.seq = ?1;

-- name: spending_of_run
-- A call that has not ended counts with the most it can cost.
SELECT count(*), count(e.answered) FILTER (WHERE e.answered), coalesce(sum(e.tokens_in), 0),
  coalesce(sum(e.tokens_out), 0),
       coalesce(sum(e.tokens_cached), 0),
         coalesce(sum(CASE WHEN e.call IS NULL THEN c.reserved_usd ELSE e.usd END), 0.0),
         coalesce(sum(e.seconds), 0.0)
FROM calls c LEFT JOIN call_ends e ON e.call = c.seq WHERE c.run = ?1;

-- name: insert_experiment
INSERT INTO experiments (run, generation, kind, ord, created, body, body_object)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING;

-- name: experiment_row
SELECT seq FROM experiments WHERE run = ?1 AND generation = ?2 AND kind = ?3 AND ord = ?4;

-- name: experiments_of_run
SELECT seq, generation, ord, kind, body, body_object FROM experiments WHERE run = ?1 ORDER BY seq;

-- name: next_node
SELECT coalesce(max(number), 0) + 1 FROM members WHERE run = ?1;

-- name: node_of_step
SELECT number FROM members WHERE run = ?1 AND step = ?2;

-- name: insert_node
INSERT INTO members (run, number, step, generation, candidate, basis, reference, experiment,
  created, report, report_object)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11);

-- name: nodes_of_run
SELECT m.number, m.step, m.generation, c.hash, m.basis, m.reference, m.experiment, m.created,
  m.report, m.report_object
FROM members m JOIN candidates c ON c.id = m.candidate WHERE m.run = ?1 ORDER BY m.number;

-- name: link_evaluation
INSERT INTO member_evaluations (run, member, depth, evaluation) SELECT ?1, ?2, depth, seq
  FROM evaluations WHERE seq = ?3 ON CONFLICT DO NOTHING;

-- name: evaluations_of_run
SELECT l.member, e.id FROM member_evaluations l JOIN evaluations e ON e.seq = l.evaluation
  WHERE l.run = ?1 ORDER BY l.seq;

-- name: link_comparison
INSERT INTO run_comparisons (run, comparison) VALUES (?1, ?2) ON CONFLICT DO NOTHING;

-- name: comparisons_of_run
SELECT x.* FROM run_comparisons l JOIN comparison_records x ON x.seq = l.comparison WHERE l.run = ?1
  ORDER BY l.seq;

-- name: insert_decision
INSERT INTO decisions (run, name, created, body, body_object)
  VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (run, name) DO NOTHING;

-- name: decision
SELECT body, body_object FROM decisions WHERE run = ?1 AND name = ?2;

-- name: decisions_of_run
SELECT name, body, body_object FROM decisions WHERE run = ?1 ORDER BY seq;

-- name: append_journal
INSERT INTO journal (run, kind, created, body, body_object) VALUES (?1, ?2, ?3, ?4, ?5);

-- name: journal_of_run
SELECT seq, kind, created, body, body_object FROM journal WHERE run = ?1 AND seq > ?2 ORDER BY seq;

-- name: set_activity
INSERT INTO run_activity (run, changed, body)
  VALUES (?1, ?2, ?3) ON CONFLICT (run) DO UPDATE SET changed = excluded.changed,
  body = excluded.body;

-- name: activity_of_run
SELECT changed, body FROM run_activity WHERE run = ?1;
