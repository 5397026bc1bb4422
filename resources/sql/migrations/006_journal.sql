-- What a run decided and what came of it, as typed records in order: run/journal.h reads and writes them, and a run's tree is made of them alone.
-- Runs from before this table have their state in `decisions`, `members` and `experiments`; they are read and never written.
CREATE TABLE journal (
  seq INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES research_runs,
  kind TEXT NOT NULL,               -- given, decided, answered, written, judged, ...
  created INTEGER NOT NULL,
  body TEXT,                        -- JSON: core/records_json.h
  body_object TEXT,
  CHECK ((body IS NULL) <> (body_object IS NULL))
) STRICT;
CREATE INDEX journal_in_order ON journal (run, seq);

CREATE TRIGGER journal_refuse_update BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;
CREATE TRIGGER journal_refuse_delete BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'the archive is append-only'); END;

-- What a run at work does at this moment, for processes that watch it. No record: the only table whose rows are replaced.
CREATE TABLE run_activity (
  run INTEGER PRIMARY KEY REFERENCES research_runs,
  changed INTEGER NOT NULL,
  body TEXT NOT NULL                -- JSON: run/status.h
) STRICT;

PRAGMA user_version = 6;
