-- The chunks of some files in the order of their lines. One that has several symbols, or none,
-- gets a name of its own, so that it ends the run before it.
SELECT id, file_id, start_line, end_line,
       CASE WHEN symbols <> '' AND instr(symbols, char(10)) = 0 THEN symbols ELSE '#' || id END
FROM chunk
WHERE file_id IN (SELECT value FROM json_each(:files))
ORDER BY file_id, start_line, end_line;
