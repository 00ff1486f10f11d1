-- Reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009) of three lists, each cut to the
-- pool: identifiers whole, identifiers split, vectors. A filter narrows every list before it is cut.
-- A list that is not asked for is empty: an empty phrase matches nothing, and k is 0.
WITH
allowed AS (
    SELECT chunk.id
    FROM chunk JOIN file ON file.id = chunk.file_id
    WHERE TRUE
      AND file.role IN (SELECT value FROM json_each(:roles))  -- only: roles
      AND file.language IN (SELECT value FROM json_each(:languages))  -- only: languages
      AND file.id IN (SELECT value FROM json_each(:files))  -- only: files
),
keyword AS (
    SELECT rowid AS id, row_number() OVER (ORDER BY score, rowid) AS place
    FROM (
        SELECT rowid, bm25(whole, :path_weight, :symbol_weight, :body_weight) AS score
        FROM whole
        WHERE whole MATCH :whole
          AND +rowid IN (SELECT id FROM allowed)  -- only: filtered
        ORDER BY score, rowid
        LIMIT :pool
    )
),
split AS (
    SELECT rowid AS id, row_number() OVER (ORDER BY score, rowid) AS place
    FROM (
        SELECT rowid, bm25(parts, :path_weight, :symbol_weight, :body_weight) AS score
        FROM parts
        WHERE parts MATCH :parts
          AND +rowid IN (SELECT id FROM allowed)  -- only: filtered
        ORDER BY score, rowid
        LIMIT :pool
    )
),
nearest AS MATERIALIZED (
    SELECT rowid AS id, distance
    FROM vectors
    WHERE embedding MATCH vec_int8(:vector) AND k = :nearest
      AND role IN (SELECT value FROM json_each(:roles))  -- only: roles
      AND language IN (SELECT value FROM json_each(:languages))  -- only: languages
      AND rowid IN (SELECT id FROM allowed)  -- only: files
),
semantic AS (
    SELECT id, row_number() OVER (ORDER BY distance, id) AS place FROM nearest
),
listed AS (
    SELECT id, :keyword_weight / (:k + place) AS part, place AS keyword, NULL AS split, NULL AS semantic
    FROM keyword
    UNION ALL
    SELECT id, :split_weight / (:k + place), NULL, place, NULL FROM split
    UNION ALL
    SELECT id, :semantic_weight / (:k + place), NULL, NULL, place FROM semantic
),
fused AS (
    SELECT id, sum(part) AS score,
           max(keyword) AS keyword, max(split) AS split, max(semantic) AS semantic
    FROM listed
    GROUP BY id
)
SELECT fused.id, file.path, file.blob_id, file.language, file.role,
       chunk.start_line, chunk.end_line, chunk.symbols,
       fused.score, fused.keyword, fused.split, fused.semantic
FROM fused JOIN chunk ON chunk.id = fused.id JOIN file ON file.id = chunk.file_id
ORDER BY fused.score DESC, file.path, chunk.start_line;
