-- What explaining a candidate's time came to, and a ledger of its advice: who was shown it, which experiments cited it, what became of them.
CREATE TABLE profiles (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  candidate INTEGER NOT NULL REFERENCES candidates,
  task INTEGER NOT NULL REFERENCES tasks,
  device INTEGER NOT NULL REFERENCES devices,
  driver TEXT NOT NULL,
  compiler TEXT NOT NULL,
  protocol INTEGER NOT NULL,
  point TEXT NOT NULL,              -- JSON: {"BLOCK": 256}
  case_name TEXT NOT NULL,
  seconds REAL,                     -- of one call, without any profiler
  bound TEXT NOT NULL,              -- memory, compute, latency, launch, mixed
  created INTEGER NOT NULL,
  body TEXT,                        -- JSON: diagnosis, hot lines, what was left out, notes, what it cost
  body_object TEXT,
  CHECK ((body IS NULL) <> (body_object IS NULL))
) STRICT;
CREATE INDEX profiles_by_candidate ON profiles (candidate);

-- As the metrics of an evaluation, with the same tags.
CREATE TABLE profile_metrics (
  profile INTEGER NOT NULL REFERENCES profiles,
  ord INTEGER NOT NULL,
  tag INTEGER NOT NULL REFERENCES metric_tags,
  value REAL,                       -- optional; without one `missing` says why
  missing TEXT NOT NULL,
  case_name TEXT NOT NULL,
  launch INTEGER,                   -- optional
  line INTEGER,                     -- optional
  PRIMARY KEY (profile, ord),
  CHECK (value IS NOT NULL OR missing <> '')
) STRICT, WITHOUT ROWID;

CREATE TABLE advice (
  seq INTEGER PRIMARY KEY,
  profile INTEGER NOT NULL REFERENCES profiles,
  ord INTEGER NOT NULL,             -- in the order shown
  id TEXT NOT NULL,                 -- A1, A2, ...
  tool TEXT NOT NULL,
  severity TEXT NOT NULL,
  title TEXT NOT NULL,
  evidence TEXT NOT NULL,
  cause TEXT NOT NULL,
  recommendation TEXT NOT NULL,
  launch INTEGER,                   -- optional
  lines TEXT NOT NULL,              -- JSON: [12, 14]
  gain_low REAL,                    -- percent of the call's time
  gain_high REAL,
  model TEXT NOT NULL,
  UNIQUE (profile, ord),
  UNIQUE (profile, id)
) STRICT;
CREATE INDEX advice_by_tool ON advice (tool);

-- A profile whose advice a designer was shown: one for each generation of a run.
CREATE TABLE advice_shown (
  seq INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES research_runs,
  generation INTEGER NOT NULL,
  member INTEGER NOT NULL,          -- that was profiled
  profile INTEGER NOT NULL REFERENCES profiles,
  created INTEGER NOT NULL,
  UNIQUE (run, generation),
  FOREIGN KEY (run, member) REFERENCES members (run, number)
) STRICT;
CREATE INDEX advice_shown_by_profile ON advice_shown (profile);

CREATE TABLE advice_cited (
  seq INTEGER PRIMARY KEY,
  experiment INTEGER NOT NULL REFERENCES experiments,
  advice INTEGER NOT NULL REFERENCES advice,
  created INTEGER NOT NULL,
  UNIQUE (experiment, advice)
) STRICT;
CREATE INDEX advice_cited_by_advice ON advice_cited (advice);

-- What became of an experiment that cites advice: the member it came to, and the part of the basis's time that it saves in the case that was profiled.
CREATE TABLE advice_realised (
  experiment INTEGER PRIMARY KEY REFERENCES experiments,
  member INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  gain REAL,                        -- optional: only an accepted member has one; percent
  created INTEGER NOT NULL
) STRICT;

-- Append-only: what was recorded stays as it was recorded.
CREATE TRIGGER profiles_refuse_update BEFORE UPDATE ON profiles BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER profiles_refuse_delete BEFORE DELETE ON profiles BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER profile_metrics_refuse_update BEFORE UPDATE ON profile_metrics BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER profile_metrics_refuse_delete BEFORE DELETE ON profile_metrics BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER advice_refuse_update BEFORE UPDATE ON advice BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER advice_refuse_delete BEFORE DELETE ON advice BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER advice_shown_refuse_update BEFORE UPDATE ON advice_shown BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER advice_shown_refuse_delete BEFORE DELETE ON advice_shown BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER advice_cited_refuse_update BEFORE UPDATE ON advice_cited BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER advice_cited_refuse_delete BEFORE DELETE ON advice_cited BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER advice_realised_refuse_update BEFORE UPDATE ON advice_realised BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER advice_realised_refuse_delete BEFORE DELETE ON advice_realised BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;

PRAGMA user_version = 5;
