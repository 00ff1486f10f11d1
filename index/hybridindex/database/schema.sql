-- One tree state: its source files, their chunks, and what a question is matched against.
-- Disposable: a database of another schema, another program, another model or with damage is made
-- anew.

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value ANY
) WITHOUT ROWID, STRICT;

CREATE TABLE file (
    id       INTEGER PRIMARY KEY,
    path     BLOB NOT NULL UNIQUE,   -- bytes as git has them
    blob_id  TEXT NOT NULL,
    language TEXT NOT NULL,          -- '' where unknown
    role     TEXT NOT NULL,
    covered  INTEGER NOT NULL        -- 1: chunks and all vectors come from committed segments
) STRICT;

CREATE TABLE chunk (
    id         INTEGER PRIMARY KEY,
    file_id    INTEGER NOT NULL REFERENCES file (id),
    start_line INTEGER NOT NULL,
    end_line   INTEGER NOT NULL,
    symbols    TEXT NOT NULL,        -- one a line
    key        BLOB NOT NULL,
    embedded   INTEGER NOT NULL      -- 1: the vectors table has this id
) STRICT;
CREATE INDEX chunk_of_file ON chunk (file_id);
CREATE INDEX chunk_without_vector ON chunk (id) WHERE embedded = 0;

-- Identifiers as they stand: should_strip_auth is one token.
CREATE VIRTUAL TABLE exact USING fts5 (
    path, symbols, body,
    content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 2 tokenchars '_'"
);

-- Identifiers split where their words meet, and words reduced to their stems.
CREATE VIRTUAL TABLE split USING fts5 (
    path, symbols, body,
    content = '', contentless_delete = 1,
    tokenize = "porter unicode61 remove_diacritics 2"
);

CREATE VIRTUAL TABLE vectors USING vec0 (
    embedding int8[{dimensions}] distance_metric = cosine,
    role text,
    language text
);
