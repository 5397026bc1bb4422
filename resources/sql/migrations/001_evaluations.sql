-- Tasks, candidates and evaluations. Times are milliseconds since 1970 (UTC); NULL in a REAL column that is not said to be optional is NaN.
-- A text is kept in its column, or, where it is large, as an object beside the database, named by its hash in the *_object column.
-- Later migrations add tables in the same manner: numbered, append-only, with one row in `migrations`.
PRAGMA application_id = 0x686f6e65;  -- "hone"

CREATE TABLE migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  applied INTEGER NOT NULL
) STRICT;

CREATE TABLE tasks (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  folder TEXT NOT NULL,
  created INTEGER NOT NULL,
  toml TEXT,
  toml_object TEXT,
  CHECK ((toml IS NULL) <> (toml_object IS NULL))
) STRICT;
CREATE INDEX tasks_by_name ON tasks (name);

CREATE TABLE candidates (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  language TEXT NOT NULL,
  name TEXT NOT NULL,
  author TEXT NOT NULL,
  note TEXT NOT NULL,
  created INTEGER NOT NULL,
  source TEXT,
  source_object TEXT,
  CHECK ((source IS NULL) <> (source_object IS NULL))
) STRICT;

-- A child is recorded together with its parents, which are there before it: the graph has no cycle.
CREATE TABLE candidate_parents (
  child INTEGER NOT NULL REFERENCES candidates,
  parent INTEGER NOT NULL REFERENCES candidates,
  PRIMARY KEY (child, parent),
  CHECK (parent < child)
) STRICT, WITHOUT ROWID;
CREATE INDEX children_by_parent ON candidate_parents (parent, child);

CREATE TABLE devices (
  id INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL
) STRICT;

CREATE TABLE evaluations (
  seq INTEGER PRIMARY KEY,          -- in the order of recording
  id TEXT NOT NULL UNIQUE,          -- what people and commands call it
  identity BLOB NOT NULL,           -- hash over the whole key; equal identities measured the same thing
  candidate INTEGER NOT NULL REFERENCES candidates,
  task INTEGER NOT NULL REFERENCES tasks,
  task_name TEXT NOT NULL,          -- repeated here so that one index can serve a list of one task's evaluations
  device INTEGER NOT NULL REFERENCES devices,
  driver TEXT NOT NULL,
  compiler TEXT NOT NULL,
  protocol INTEGER NOT NULL,
  depth TEXT NOT NULL,
  point TEXT NOT NULL,              -- JSON: {"BLOCK": 256}
  cases TEXT NOT NULL,              -- JSON: the cases it was limited to; [] is all of them
  outcome TEXT NOT NULL,
  geomean REAL,                     -- optional; seconds
  seconds_total REAL,
  seconds_build REAL,
  seconds_kernels REAL,
  seconds_reference REAL,
  created INTEGER NOT NULL,
  build_log TEXT,
  build_log_object TEXT,
  CHECK ((build_log IS NULL) <> (build_log_object IS NULL))
) STRICT;
-- Every index ends in seq by itself, so each serves "newest first" without sorting.
CREATE INDEX evaluations_by_identity ON evaluations (identity);
CREATE INDEX evaluations_by_candidate ON evaluations (candidate);
CREATE INDEX evaluations_by_task ON evaluations (task_name);
CREATE INDEX evaluations_by_outcome ON evaluations (outcome);
CREATE INDEX evaluations_by_task_and_outcome ON evaluations (task_name, outcome);
-- Only evaluations over all cases have comparable means.
CREATE INDEX best_evaluations ON evaluations (task, device, protocol, depth, geomean)
  WHERE outcome = 'accepted' AND cases = '[]' AND geomean IS NOT NULL;

CREATE TABLE evidence (
  evaluation INTEGER NOT NULL REFERENCES evaluations,
  ord INTEGER NOT NULL,
  guard TEXT NOT NULL,
  trust_row INTEGER NOT NULL,
  convicts INTEGER NOT NULL,
  case_name TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (evaluation, ord)
) STRICT;

CREATE TABLE case_results (
  evaluation INTEGER NOT NULL REFERENCES evaluations,
  ord INTEGER NOT NULL,
  name TEXT NOT NULL,
  timed INTEGER NOT NULL,
  median REAL,
  interval_low REAL,
  interval_high REAL,
  wall_median REAL,
  first_call REAL,
  bytes REAL,
  flops REAL,
  flops_by_kind TEXT NOT NULL,      -- JSON: {"f32": 1e9}
  bandwidth REAL,
  rate REAL,
  ceiling_fraction REAL,            -- optional
  ceiling TEXT NOT NULL,
  error_max REAL,
  error_rms REAL,
  honest_rms REAL,
  samples BLOB NOT NULL,            -- little-endian doubles, in the order they were taken
  wall_samples BLOB NOT NULL,
  UNIQUE (evaluation, ord)
) STRICT;

CREATE TABLE metric_tags (
  id INTEGER PRIMARY KEY,
  tag TEXT NOT NULL,
  hint TEXT NOT NULL,
  UNIQUE (tag, hint)
) STRICT;

CREATE TABLE metrics (
  evaluation INTEGER NOT NULL REFERENCES evaluations,
  ord INTEGER NOT NULL,
  tag INTEGER NOT NULL REFERENCES metric_tags,
  value REAL,                       -- optional; without one `missing` says why
  missing TEXT NOT NULL,
  case_name TEXT NOT NULL,
  launch INTEGER,                   -- optional
  line INTEGER,                     -- optional
  PRIMARY KEY (evaluation, ord),
  CHECK (value IS NOT NULL OR missing <> '')
) STRICT, WITHOUT ROWID;

-- One evaluation as a line of a list: what is shown, in that order, then what lists are filtered by.
CREATE VIEW evaluation_lines AS
SELECT e.id, e.created, e.task_name, c.hash AS candidate_hash, c.name AS candidate_name, e.point, e.cases, e.depth, e.outcome, e.geomean,
       d.name AS device_name, e.seconds_total,
       e.seq, e.candidate, e.task, e.device, e.protocol
FROM evaluations e JOIN candidates c ON c.id = e.candidate JOIN devices d ON d.id = e.device;

-- Append-only: what was recorded stays as it was recorded.
CREATE TRIGGER migrations_refuse_update BEFORE UPDATE ON migrations BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER migrations_refuse_delete BEFORE DELETE ON migrations BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER tasks_refuse_update BEFORE UPDATE ON tasks BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER tasks_refuse_delete BEFORE DELETE ON tasks BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER candidates_refuse_update BEFORE UPDATE ON candidates BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER candidates_refuse_delete BEFORE DELETE ON candidates BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER candidate_parents_refuse_update BEFORE UPDATE ON candidate_parents BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER candidate_parents_refuse_delete BEFORE DELETE ON candidate_parents BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER devices_refuse_update BEFORE UPDATE ON devices BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER devices_refuse_delete BEFORE DELETE ON devices BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER evaluations_refuse_update BEFORE UPDATE ON evaluations BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER evaluations_refuse_delete BEFORE DELETE ON evaluations BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER evidence_refuse_update BEFORE UPDATE ON evidence BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER evidence_refuse_delete BEFORE DELETE ON evidence BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER case_results_refuse_update BEFORE UPDATE ON case_results BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER case_results_refuse_delete BEFORE DELETE ON case_results BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER metric_tags_refuse_update BEFORE UPDATE ON metric_tags BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER metric_tags_refuse_delete BEFORE DELETE ON metric_tags BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER metrics_refuse_update BEFORE UPDATE ON metrics BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER metrics_refuse_delete BEFORE DELETE ON metrics BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;

PRAGMA user_version = 1;
