-- Tuning runs: what was asked, which evaluations belong to it, and how its state changed. The present state is the newest row.
CREATE TABLE tuning_runs (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  task INTEGER NOT NULL REFERENCES tasks,
  candidate INTEGER NOT NULL REFERENCES candidates,
  device INTEGER NOT NULL REFERENCES devices,
  driver TEXT NOT NULL,
  compiler TEXT NOT NULL,
  protocol INTEGER NOT NULL,
  settings TEXT NOT NULL,           -- JSON, understood by the tuner only
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX tuning_runs_by_subject ON tuning_runs (candidate, task, device);

CREATE TABLE tuning_points (
  seq INTEGER PRIMARY KEY,          -- in the order the run met them
  run INTEGER NOT NULL REFERENCES tuning_runs,
  evaluation INTEGER NOT NULL REFERENCES evaluations,
  UNIQUE (run, evaluation)
) STRICT;
CREATE INDEX tuning_points_in_order ON tuning_points (run, seq);

CREATE TABLE tuning_states (
  seq INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES tuning_runs,
  state TEXT NOT NULL,              -- running, stopped, finished, failed
  note TEXT NOT NULL,
  winner_evaluation INTEGER REFERENCES evaluations,  -- optional
  winner_candidate INTEGER REFERENCES candidates,    -- optional: the result with its defaults set
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX tuning_states_by_run ON tuning_states (run);

-- Append-only: what was recorded stays as it was recorded.
CREATE TRIGGER tuning_runs_refuse_update BEFORE UPDATE ON tuning_runs BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER tuning_runs_refuse_delete BEFORE DELETE ON tuning_runs BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER tuning_points_refuse_update BEFORE UPDATE ON tuning_points BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER tuning_points_refuse_delete BEFORE DELETE ON tuning_points BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER tuning_states_refuse_update BEFORE UPDATE ON tuning_states BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER tuning_states_refuse_delete BEFORE DELETE ON tuning_states BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;

PRAGMA user_version = 3;
