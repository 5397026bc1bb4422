-- Comparisons of two candidates, each at a point of its tune space: an interval on time(b) / time(a), and one of four words.
CREATE TABLE comparisons (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  task INTEGER NOT NULL REFERENCES tasks,
  device INTEGER NOT NULL REFERENCES devices,
  driver TEXT NOT NULL,
  compiler TEXT NOT NULL,
  protocol INTEGER NOT NULL,
  candidate_a INTEGER NOT NULL REFERENCES candidates,
  point_a TEXT NOT NULL,
  candidate_b INTEGER NOT NULL REFERENCES candidates,
  point_b TEXT NOT NULL,
  ratio REAL,
  ratio_low REAL,
  ratio_high REAL,
  margin REAL,
  word TEXT NOT NULL,
  stopped_by TEXT NOT NULL,         -- which clause of the stopping rule ended it
  seconds REAL,
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX comparisons_by_a ON comparisons (candidate_a);
CREATE INDEX comparisons_by_b ON comparisons (candidate_b);

CREATE TABLE comparison_cases (
  comparison INTEGER NOT NULL REFERENCES comparisons,
  ord INTEGER NOT NULL,
  name TEXT NOT NULL,
  ratio REAL,
  ratio_low REAL,
  ratio_high REAL,
  block_ratios BLOB NOT NULL,       -- little-endian doubles, one for each ABBA block
  UNIQUE (comparison, ord)
) STRICT;

-- Append-only: what was recorded stays as it was recorded.
CREATE TRIGGER comparisons_refuse_update BEFORE UPDATE ON comparisons BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER comparisons_refuse_delete BEFORE DELETE ON comparisons BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER comparison_cases_refuse_update BEFORE UPDATE ON comparison_cases BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER comparison_cases_refuse_delete BEFORE DELETE ON comparison_cases BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;

PRAGMA user_version = 2;
