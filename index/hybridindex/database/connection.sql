-- name: settings
-- WAL: readers never wait for a writer. Losing the last commit to a power cut costs a rebuild.
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;

-- name: begin_writing
-- Begun at once, so that two writers queue instead of failing.
BEGIN IMMEDIATE;

-- name: begin_reading
BEGIN DEFERRED;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: tables
SELECT name FROM sqlite_schema;

-- name: get_meta
SELECT value FROM meta WHERE name = ?;

-- name: set_meta
INSERT OR REPLACE INTO meta VALUES (?, ?);
