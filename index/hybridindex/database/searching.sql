-- name: coverage
SELECT count(*), total(covered), (SELECT count(DISTINCT file_id) FROM chunk WHERE embedded = 0)
FROM file;

-- name: any_vector
SELECT EXISTS (SELECT 1 FROM chunk WHERE embedded = 1);

-- name: without_vector
SELECT chunk.id, chunk.key, file.path
FROM chunk JOIN file ON file.id = chunk.file_id
WHERE chunk.embedded = 0
LIMIT ?;

-- name: paths
SELECT id, path FROM file;

-- name: parts_of_files
-- The chunks of some files in the order of their lines, each with the first symbol it has ('' for
-- none): a part of a definition begins with that definition's symbol.
SELECT id, file_id, start_line, end_line,
       CASE instr(symbols, char(10))
           WHEN 0 THEN symbols
           ELSE substr(symbols, 1, instr(symbols, char(10)) - 1)
       END
FROM chunk
WHERE file_id IN (SELECT value FROM json_each(:files))
ORDER BY file_id, start_line, end_line;
