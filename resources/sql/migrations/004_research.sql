-- Runs of the scientist and what they learn. A run is resumed by doing its steps again, so most tables have a unique name for a step: the first
-- record under it stands, and the second is refused or ignored.
CREATE TABLE research_runs (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,          -- begins with r, which no other id does
  task INTEGER NOT NULL REFERENCES tasks,
  device INTEGER NOT NULL REFERENCES devices,
  settings TEXT NOT NULL,           -- JSON, understood by the loop only
  created INTEGER NOT NULL
) STRICT;

-- How a run's state changed; the present state is the newest row.
CREATE TABLE research_states (
  seq INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES research_runs,
  state TEXT NOT NULL,              -- running, stopped, away, finished, failed
  note TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX research_states_by_run ON research_states (run);

-- A call of a model, booked before it is made. Several calls of one step are attempts at one question.
CREATE TABLE calls (
  seq INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES research_runs,
  step TEXT NOT NULL,
  role TEXT NOT NULL,
  model TEXT NOT NULL,
  template_hash TEXT NOT NULL,
  reserved_usd REAL,                -- the most it can cost
  created INTEGER NOT NULL,
  prompt TEXT,                      -- large columns stand last, so that sums over the others do not read them
  prompt_object TEXT,
  CHECK ((prompt IS NULL) <> (prompt_object IS NULL))
) STRICT;
CREATE INDEX calls_by_step ON calls (run, step);
CREATE INDEX calls_in_order ON calls (run, seq);

-- How a call ended. One without a row here is in flight, or was lost in a crash.
CREATE TABLE call_ends (
  call INTEGER PRIMARY KEY REFERENCES calls,
  answered INTEGER NOT NULL,
  fault TEXT NOT NULL,              -- its kind; '' if it was answered
  model TEXT NOT NULL,              -- as the provider says
  stop TEXT NOT NULL,
  tokens_in INTEGER NOT NULL,
  tokens_out INTEGER NOT NULL,
  tokens_cached INTEGER NOT NULL,
  usd REAL,
  seconds REAL,
  created INTEGER NOT NULL,
  text TEXT,
  text_object TEXT,
  arguments TEXT,
  arguments_object TEXT,
  CHECK ((text IS NULL) <> (text_object IS NULL)),
  CHECK ((arguments IS NULL) <> (arguments_object IS NULL))
) STRICT;

CREATE TABLE experiments (
  seq INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES research_runs,
  generation INTEGER NOT NULL,
  kind TEXT NOT NULL,               -- kernel, probe
  ord INTEGER NOT NULL,
  created INTEGER NOT NULL,
  body TEXT,                        -- JSON of the loop's own
  body_object TEXT,
  UNIQUE (run, generation, kind, ord),
  CHECK ((body IS NULL) <> (body_object IS NULL))
) STRICT;
CREATE INDEX experiments_in_order ON experiments (run, seq);

-- Candidates of a run, numbered from 1 in the order of recording.
CREATE TABLE members (
  seq INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES research_runs,
  number INTEGER NOT NULL,
  step TEXT NOT NULL,
  generation INTEGER NOT NULL,
  candidate INTEGER NOT NULL REFERENCES candidates,
  basis INTEGER,                    -- optional: a member's number
  reference INTEGER,                -- optional: a member's number
  experiment INTEGER REFERENCES experiments,  -- optional
  created INTEGER NOT NULL,
  report TEXT,
  report_object TEXT,
  UNIQUE (run, number),
  UNIQUE (run, step),
  FOREIGN KEY (run, basis) REFERENCES members (run, number),
  FOREIGN KEY (run, reference) REFERENCES members (run, number),
  CHECK ((report IS NULL) <> (report_object IS NULL))
) STRICT;

-- What was found of a member: one evaluation for each depth.
CREATE TABLE member_evaluations (
  seq INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES research_runs,
  member INTEGER NOT NULL,
  depth TEXT NOT NULL,
  evaluation INTEGER NOT NULL REFERENCES evaluations,
  UNIQUE (run, member, depth),
  FOREIGN KEY (run, member) REFERENCES members (run, number)
) STRICT;
CREATE INDEX member_evaluations_in_order ON member_evaluations (run, seq);

CREATE TABLE run_comparisons (
  seq INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES research_runs,
  comparison INTEGER NOT NULL REFERENCES comparisons,
  UNIQUE (run, comparison)
) STRICT;
CREATE INDEX run_comparisons_in_order ON run_comparisons (run, seq);

-- Whatever else the loop decides once and must decide alike when it is resumed.
CREATE TABLE decisions (
  seq INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES research_runs,
  name TEXT NOT NULL,
  created INTEGER NOT NULL,
  body TEXT,                        -- JSON of the loop's own
  body_object TEXT,
  UNIQUE (run, name),
  CHECK ((body IS NULL) <> (body_object IS NULL))
) STRICT;
CREATE INDEX decisions_in_order ON decisions (run, seq);

CREATE TABLE findings (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  task TEXT NOT NULL,               -- name of the task it is about; '': any
  device TEXT NOT NULL,             -- architecture or device it is about; '': any
  source TEXT NOT NULL,
  run INTEGER REFERENCES research_runs  -- optional: the run that learned it
) STRICT;

-- Edited by a new version, deleted by a mark; the newest row is how it stands.
CREATE TABLE finding_versions (
  seq INTEGER PRIMARY KEY,
  finding INTEGER NOT NULL REFERENCES findings,
  deleted INTEGER NOT NULL,
  created INTEGER NOT NULL,
  text TEXT,
  text_object TEXT,
  CHECK ((text IS NULL) <> (text_object IS NULL))
) STRICT;
CREATE INDEX finding_versions_by_finding ON finding_versions (finding);

-- One comparison as it is read back, in that order.
CREATE VIEW comparison_records AS
SELECT x.seq, x.id, x.created, t.hash AS task, t.name AS task_name, d.uuid AS device, d.name AS device_name, x.driver, x.compiler, x.protocol,
       a.hash AS candidate_a, x.point_a, b.hash AS candidate_b, x.point_b, x.ratio, x.ratio_low, x.ratio_high, x.margin, x.word, x.stopped_by, x.seconds
FROM comparisons x JOIN tasks t ON t.id = x.task JOIN devices d ON d.id = x.device
     JOIN candidates a ON a.id = x.candidate_a JOIN candidates b ON b.id = x.candidate_b;

-- Append-only: what was recorded stays as it was recorded.
CREATE TRIGGER research_runs_refuse_update BEFORE UPDATE ON research_runs BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER research_runs_refuse_delete BEFORE DELETE ON research_runs BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER research_states_refuse_update BEFORE UPDATE ON research_states BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER research_states_refuse_delete BEFORE DELETE ON research_states BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER calls_refuse_update BEFORE UPDATE ON calls BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER calls_refuse_delete BEFORE DELETE ON calls BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER call_ends_refuse_update BEFORE UPDATE ON call_ends BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER call_ends_refuse_delete BEFORE DELETE ON call_ends BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER experiments_refuse_update BEFORE UPDATE ON experiments BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER experiments_refuse_delete BEFORE DELETE ON experiments BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER members_refuse_update BEFORE UPDATE ON members BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER members_refuse_delete BEFORE DELETE ON members BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER member_evaluations_refuse_update BEFORE UPDATE ON member_evaluations BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER member_evaluations_refuse_delete BEFORE DELETE ON member_evaluations BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER run_comparisons_refuse_update BEFORE UPDATE ON run_comparisons BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER run_comparisons_refuse_delete BEFORE DELETE ON run_comparisons BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER decisions_refuse_update BEFORE UPDATE ON decisions BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER decisions_refuse_delete BEFORE DELETE ON decisions BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER findings_refuse_update BEFORE UPDATE ON findings BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER findings_refuse_delete BEFORE DELETE ON findings BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER finding_versions_refuse_update BEFORE UPDATE ON finding_versions BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER finding_versions_refuse_delete BEFORE DELETE ON finding_versions BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;

PRAGMA user_version = 4;
