-- name: files
SELECT id, path, blob_id, covered FROM file;

-- name: uncover_file
UPDATE file SET covered = 0 WHERE id = ?;

-- name: insert_file
INSERT INTO file (path, blob_id, language, role, covered) VALUES (?, ?, ?, ?, ?);

-- name: delete_exact
DELETE FROM exact WHERE rowid IN (SELECT id FROM chunk WHERE file_id = ?);

-- name: delete_split
DELETE FROM split WHERE rowid IN (SELECT id FROM chunk WHERE file_id = ?);

-- name: delete_vectors
DELETE FROM vectors WHERE rowid IN (SELECT id FROM chunk WHERE file_id = ?);

-- name: delete_chunks
DELETE FROM chunk WHERE file_id = ?;

-- name: delete_file
DELETE FROM file WHERE id = ?;

-- name: insert_chunk
INSERT INTO chunk (file_id, start_line, end_line, symbols, key, embedded) VALUES (?, ?, ?, ?, ?, ?);

-- name: insert_exact
INSERT INTO exact (rowid, path, symbols, body) VALUES (?, ?, ?, ?);

-- name: insert_split
INSERT INTO split (rowid, path, symbols, body) VALUES (?, ?, ?, ?);

-- name: insert_vector
INSERT INTO vectors (rowid, embedding, role, language) VALUES (?, vec_int8(?), ?, ?);

-- name: place_of_chunk
-- Nothing where another process was faster and the chunk has its vector already.
SELECT file.role, file.language
FROM chunk JOIN file ON file.id = chunk.file_id
WHERE chunk.id = ? AND chunk.key = ? AND chunk.embedded = 0;

-- name: mark_embedded
UPDATE chunk SET embedded = 1 WHERE id = ?;
