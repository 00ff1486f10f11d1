-- Reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009) of five lists, each cut to the
-- pool: identifiers whole, identifiers split, symbols alone, paths alone, vectors. Ranks tell
-- nothing of distances, so two lists also give closeness: 1 for their best, falling towards 0. A
-- filter narrows every list before it is cut. A list that is not asked for is empty: an empty phrase
-- matches nothing, and k is 0.
WITH
allowed AS (
    SELECT chunk.id
    FROM chunk JOIN file ON file.id = chunk.file_id
    WHERE TRUE
      AND file.role IN (SELECT value FROM json_each(:roles))  -- only: roles
      AND file.language IN (SELECT value FROM json_each(:languages))  -- only: languages
      AND file.id IN (SELECT value FROM json_each(:files))  -- only: files
),
-- The + keeps FTS5 from being asked once for every allowed row.
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
    -- bm25() is negative, the best the lowest.
    SELECT rowid AS id, row_number() OVER (ORDER BY score, rowid) AS place,
           pow(score / min(score) OVER (), 2) AS closeness
    FROM (
        SELECT rowid, bm25(parts, :path_weight, :symbol_weight, :body_weight) AS score
        FROM parts
        WHERE parts MATCH :parts
          AND +rowid IN (SELECT id FROM allowed)  -- only: filtered
        ORDER BY score, rowid
        LIMIT :pool
    )
),
symbol AS (
    SELECT rowid AS id, row_number() OVER (ORDER BY score, rowid) AS place
    FROM (
        SELECT rowid, bm25(whole) AS score
        FROM whole
        WHERE whole MATCH :symbols
          AND +rowid IN (SELECT id FROM allowed)  -- only: filtered
        ORDER BY score, rowid
        LIMIT :pool
    )
),
path AS (
    SELECT rowid AS id, row_number() OVER (ORDER BY score, rowid) AS place
    FROM (
        SELECT rowid, bm25(parts) AS score
        FROM parts
        WHERE parts MATCH :paths
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
    SELECT id, row_number() OVER (ORDER BY distance, id) AS place,
           exp((min(distance) OVER () - distance) / :cosine_scale) AS closeness
    FROM nearest
),
listed AS (
    SELECT 'keyword' AS list, id, place, NULL AS closeness FROM keyword
    UNION ALL SELECT 'split', id, place, closeness FROM split
    UNION ALL SELECT 'symbol', id, place, NULL FROM symbol
    UNION ALL SELECT 'path', id, place, NULL FROM path
    UNION ALL SELECT 'semantic', id, place, closeness FROM semantic
),
fused AS (
    SELECT id,
           sum((:weights ->> list) / (:k + place)
               + coalesce((:closeness ->> list) * closeness, 0)) AS score,
           json_group_object(list, json_array(place, closeness)) AS lists
    FROM listed
    GROUP BY id
)
SELECT fused.id, file.id, file.path, file.blob_id, file.language, file.role,
       chunk.start_line, chunk.end_line, chunk.symbols, fused.score, fused.lists
FROM fused JOIN chunk ON chunk.id = fused.id JOIN file ON file.id = chunk.file_id
ORDER BY fused.score DESC, file.path, chunk.start_line;
