-- Reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009) of five lists, each cut to the
-- pool: identifiers whole, identifiers split, symbols alone, paths alone, vectors. Ranks tell
-- nothing of distances, so two lists also give closeness: 1 for their best, falling towards 0. A
-- filter narrows every list before it is cut. A list that is not asked for is left out, or empty: an
-- empty phrase matches nothing.
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
exact_list AS (
    SELECT rowid AS id, row_number() OVER (ORDER BY score, rowid) AS place
    FROM (
        SELECT rowid, bm25(exact, :path_weight, :symbol_weight, :body_weight) AS score
        FROM exact
        WHERE exact MATCH :exact
          AND +rowid IN (SELECT id FROM allowed)  -- only: filtered
        ORDER BY score, rowid
        LIMIT :pool
    )
),
split_list AS (
    -- bm25() is negative, the best the lowest.
    SELECT rowid AS id, row_number() OVER (ORDER BY score, rowid) AS place,
           pow(score / min(score) OVER (), 2) AS closeness
    FROM (
        SELECT rowid, bm25(split, :path_weight, :symbol_weight, :body_weight) AS score
        FROM split
        WHERE split MATCH :split
          AND +rowid IN (SELECT id FROM allowed)  -- only: filtered
        ORDER BY score, rowid
        LIMIT :pool
    )
),
symbol_list AS (
    SELECT rowid AS id, row_number() OVER (ORDER BY score, rowid) AS place
    FROM (
        SELECT rowid, bm25(exact) AS score
        FROM exact
        WHERE exact MATCH :symbols
          AND +rowid IN (SELECT id FROM allowed)  -- only: filtered
        ORDER BY score, rowid
        LIMIT :pool
    )
),
path_list AS (
    SELECT rowid AS id, row_number() OVER (ORDER BY score, rowid) AS place
    FROM (
        SELECT rowid, bm25(split) AS score
        FROM split
        WHERE split MATCH :paths
          AND +rowid IN (SELECT id FROM allowed)  -- only: filtered
        ORDER BY score, rowid
        LIMIT :pool
    )
),
nearest AS MATERIALIZED (  -- only: semantic
    SELECT rowid AS id, distance  -- only: semantic
    FROM vectors  -- only: semantic
    WHERE embedding MATCH vec_int8(:vector) AND k = :pool  -- only: semantic
      AND role IN (SELECT value FROM json_each(:roles))  -- only: semantic roles
      AND language IN (SELECT value FROM json_each(:languages))  -- only: semantic languages
      AND rowid IN (SELECT id FROM allowed)  -- only: semantic files
),  -- only: semantic
semantic_list AS (  -- only: semantic
    SELECT id, row_number() OVER (ORDER BY distance, id) AS place,  -- only: semantic
           exp((min(distance) OVER () - distance) / :cosine_scale) AS closeness -- only: semantic
    FROM nearest  -- only: semantic
),  -- only: semantic
listed AS (
    SELECT 'exact' AS list, id, place, NULL AS closeness FROM exact_list
    UNION ALL SELECT 'split', id, place, closeness FROM split_list
    UNION ALL SELECT 'symbol', id, place, NULL FROM symbol_list
    UNION ALL SELECT 'path', id, place, NULL FROM path_list
    UNION ALL SELECT 'semantic', id, place, closeness FROM semantic_list  -- only: semantic
),
fused AS (
    SELECT id,
           sum((:weights ->> list) / (:k + place)
               + coalesce((:closeness ->> list) * closeness, 0)) AS score,
           json_group_object(list, json_array(place, closeness)) AS lists
    FROM listed
    GROUP BY id
)
SELECT fused.id, file.id, file.path, file.language, file.role,
       chunk.start_line, chunk.end_line, chunk.symbols, fused.score, fused.lists
FROM fused JOIN chunk ON chunk.id = fused.id JOIN file ON file.id = chunk.file_id
ORDER BY fused.score DESC, file.path, chunk.start_line;
