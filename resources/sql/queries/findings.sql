-- name: insert_finding
INSERT INTO findings (id, task, device, source, run) VALUES (?1, ?2, ?3, ?4, ?5);

-- name: insert_finding_version
INSERT INTO finding_versions (finding, deleted, created, text, text_object)
  VALUES (?1, ?2, ?3, ?4, ?5);

-- name: findings_by_prefix
SELECT id FROM findings WHERE id >= ?1 AND id < ?1 || 'g' LIMIT ?2;

-- name: get_finding
SELECT f.seq, f.id, v.created, f.task, f.device, v.text, v.text_object, f.source, r.id, v.deleted
FROM findings f JOIN finding_versions v ON v.finding = f.seq
  LEFT JOIN research_runs r ON r.seq = f.run
WHERE f.id = ?1 ORDER BY v.seq DESC LIMIT 1;

-- name: list_findings
-- How each stands now. ?1 and ?2 are a task and a device: '' takes any, another takes those about
-- it and those about no one in particular.
SELECT f.seq, f.id, v.created, f.task, f.device, v.text, v.text_object, f.source, r.id, v.deleted
FROM finding_versions v JOIN findings f ON f.seq = v.finding
  LEFT JOIN research_runs r ON r.seq = f.run
WHERE v.seq = (SELECT max(seq) FROM finding_versions WHERE finding = v.finding) AND NOT v.deleted
  AND (?1 = '' OR f.task IN ('', ?1)) AND (?2 = '' OR f.device IN ('', ?2))
ORDER BY v.seq DESC LIMIT ?3;
