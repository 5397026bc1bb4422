-- name: insert_task
INSERT INTO tasks (hash, name, folder, created, toml, toml_object)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (hash) DO NOTHING;

-- name: task_row
SELECT id, name FROM tasks WHERE hash = ?1;

-- name: get_task
SELECT hash, name, folder, created, toml, toml_object FROM tasks WHERE hash = ?1;

-- name: newest_task_named
SELECT hash FROM tasks WHERE name = ?1 ORDER BY id DESC LIMIT 1;

-- name: insert_candidate
INSERT INTO candidates (hash, language, name, author, note, created, source, source_object)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (hash) DO NOTHING;

-- name: insert_parent
INSERT INTO candidate_parents (child, parent) VALUES (?1, ?2) ON CONFLICT DO NOTHING;

-- name: candidate_row
SELECT id FROM candidates WHERE hash = ?1;

-- name: get_candidate
SELECT hash, language, name, author, note, created, source, source_object FROM candidates
  WHERE hash = ?1;

-- name: list_candidates
SELECT hash, language, name, author, note, created FROM candidates ORDER BY id DESC LIMIT ?1;

-- name: parents
SELECT c.hash, c.language, c.name, c.author, c.note, c.created
FROM candidate_parents p JOIN candidates c ON c.id = p.parent
  WHERE p.child = (SELECT id FROM candidates WHERE hash = ?1) ORDER BY p.parent;

-- name: children
SELECT c.hash, c.language, c.name, c.author, c.note, c.created
FROM candidate_parents p JOIN candidates c ON c.id = p.child
  WHERE p.parent = (SELECT id FROM candidates WHERE hash = ?1) ORDER BY p.child LIMIT ?2;

-- name: lineage
WITH RECURSIVE ancestors (id) AS (
  SELECT parent FROM candidate_parents WHERE child = (SELECT id FROM candidates WHERE hash = ?1)
  UNION  -- and not UNION ALL: an ancestor on several paths is met once
  SELECT p.parent FROM ancestors a JOIN candidate_parents p ON p.child = a.id
)
SELECT c.hash, c.language, c.name, c.author, c.note, c.created FROM ancestors a
  JOIN candidates c ON c.id = a.id ORDER BY a.id DESC;
