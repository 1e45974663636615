-- Times are whole milliseconds since the Unix epoch, unless they are table time (said so).

CREATE TABLE tables (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    game      TEXT    NOT NULL,
    version   INTEGER NOT NULL,           -- of the game that wrote the state
    stage     TEXT    NOT NULL CHECK (stage IN ('lobby', 'live', 'over')),
    guild     INTEGER,
    channel   INTEGER,
    thread    INTEGER,
    opener    INTEGER NOT NULL,
    options   BLOB    NOT NULL,
    seed      BLOB    NOT NULL,
    seq       INTEGER NOT NULL DEFAULT 0, -- of the last move; 0 is the deal
    revision  INTEGER NOT NULL DEFAULT 1, -- of all that anybody can see: moves, lobby, seats, pauses
    at        INTEGER NOT NULL DEFAULT 0, -- table time of the last move
    opened    INTEGER NOT NULL DEFAULT 0, -- when table time was 0
    lost      INTEGER NOT NULL DEFAULT 0, -- ms that table time stood still
    paused_at INTEGER,
    due       INTEGER,                    -- when silence ends
    wake      INTEGER,                    -- when automata are asked next
    created   INTEGER NOT NULL,
    ended     INTEGER,
    result    BLOB
);
CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL AND paused_at IS NULL;
CREATE INDEX tables_wake ON tables (wake) WHERE wake IS NOT NULL AND paused_at IS NULL;
CREATE INDEX tables_guild ON tables (guild, stage);
CREATE INDEX tables_stage ON tables (stage, ended);

-- Beside its table, so that an update of times never rewrites the large value.
CREATE TABLE states (
    tbl   INTEGER PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    state BLOB NOT NULL
);

CREATE TABLE seats (
    tbl     INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat    INTEGER NOT NULL,
    user    INTEGER,
    name    TEXT    NOT NULL,
    skill   INTEGER CHECK (skill BETWEEN 0 AND 2), -- an automaton holds the seat
    joined  INTEGER NOT NULL,
    awaited INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tbl, seat),
    CHECK (user IS NOT NULL OR skill IS NOT NULL)
) WITHOUT ROWID;
CREATE UNIQUE INDEX seats_user ON seats (user, tbl) WHERE user IS NOT NULL;

CREATE TABLE moves (
    tbl    INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seq    INTEGER NOT NULL,
    seat   INTEGER,                       -- NULL: the host
    user   INTEGER,                       -- NULL: the host or an automaton
    at     INTEGER NOT NULL,              -- table time
    move   BLOB,                          -- NULL: the clock ran out
    events BLOB NOT NULL,
    words  BLOB NOT NULL,                 -- what the lexicon answered
    undo   TEXT NOT NULL,                 -- until when it may be taken back
    undone INTEGER,                       -- this row took that move back
    PRIMARY KEY (tbl, seq)
) WITHOUT ROWID;

CREATE TABLE messages (
    tbl       INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    audience  TEXT    NOT NULL,           -- 'board', 'lobby' or 'hand/<seat>'
    channel   INTEGER NOT NULL,
    message   INTEGER NOT NULL,
    shown     INTEGER NOT NULL,           -- the revision that it shows
    posted_at INTEGER NOT NULL,
    digest    TEXT    NOT NULL,
    PRIMARY KEY (tbl, audience)
) WITHOUT ROWID;

CREATE TABLE drafts (
    tbl  INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    kind TEXT    NOT NULL,
    body BLOB    NOT NULL,
    PRIMARY KEY (tbl, seat, kind)
) WITHOUT ROWID;

CREATE TABLE votes (
    tbl     INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    purpose TEXT    NOT NULL,
    seat    INTEGER NOT NULL,
    answer  INTEGER NOT NULL,
    PRIMARY KEY (tbl, purpose, seat)
) WITHOUT ROWID;

CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
);

CREATE TABLE notices (
    user INTEGER NOT NULL,
    kind TEXT    NOT NULL,
    at   INTEGER NOT NULL,
    PRIMARY KEY (user, kind)
) WITHOUT ROWID;

CREATE TABLE facts (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
