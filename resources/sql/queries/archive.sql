-- Statements are found by the name above them; parameters and columns are used in the order in
-- which they stand.

-- name: begin
BEGIN IMMEDIATE;  -- a writer waits here, before it has done anything, and never in the middle

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: user_version
PRAGMA user_version;

-- name: application_id
PRAGMA application_id;

-- name: count_tables
SELECT count(*) FROM sqlite_master;

-- name: insert_migration
INSERT INTO migrations (version, name, sha256, applied) VALUES (?1, ?2, ?3, ?4);

-- name: integrity_check
PRAGMA integrity_check(20);

-- name: foreign_key_check
SELECT "table", rowid, parent FROM pragma_foreign_key_check LIMIT 20;

-- name: changeable_tables
-- Tables that lack a trigger which refuses updates or deletions. run_activity holds no records: its
-- rows are replaced.
SELECT name FROM sqlite_master t WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'
  AND name <> 'run_activity'
  AND (SELECT count(*) FROM sqlite_master
    WHERE type = 'trigger' AND name IN (t.name || '_refuse_update',
    t.name || '_refuse_delete')) < 2;

-- name: counts
SELECT (SELECT count(*) FROM tasks), (SELECT count(*) FROM candidates),
  (SELECT count(*) FROM evaluations),
       (SELECT count(*) FROM comparisons), (SELECT count(*) FROM tuning_runs),
         (SELECT count(*) FROM research_runs);

-- name: find_by_prefix
-- 'g' follows every hexadecimal digit, so the range holds just what begins with the prefix.
SELECT 'candidate', hash, name FROM candidates WHERE hash >= ?1 AND hash < ?1 || 'g'
UNION ALL
SELECT 'evaluation', id, task_name FROM evaluations WHERE id >= ?1 AND id < ?1 || 'g'
UNION ALL
SELECT 'profile', id, case_name FROM profiles WHERE id >= ?1 AND id < ?1 || 'g'
LIMIT ?2;
