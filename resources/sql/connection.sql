-- Run on every connection to the archive, before anything else.

-- Readers never wait for the writer, and a process killed at any moment leaves a log that the next
-- one replays.
PRAGMA journal_mode = WAL;
-- FULL: a commit is on the disk when it returns, so what was reported survives a power cut too, not
-- only kill -9 (for which NORMAL would do). It costs one flush for each evaluation, and an
-- evaluation takes a second.
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
-- Without this INSERT OR REPLACE would delete rows past the triggers that keep the archive
-- append-only.
PRAGMA recursive_triggers = ON;
-- A database from a stranger cannot smuggle in functions through its views and triggers.
PRAGMA trusted_schema = OFF;
