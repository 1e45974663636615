-- What a host needs beside the games: servers and their settings, who waits since when, tables set aside.

ALTER TABLE tables ADD COLUMN acted INTEGER NOT NULL DEFAULT 0; -- when a person last did something here
ALTER TABLE tables ADD COLUMN follows INTEGER;                  -- the table of which this is the rematch
ALTER TABLE tables ADD COLUMN aside TEXT;                       -- code of the report: its record is damaged
UPDATE tables SET acted = max(created, opened, coalesce(ended, 0));
CREATE INDEX tables_follows ON tables (follows) WHERE follows IS NOT NULL;

ALTER TABLE seats ADD COLUMN since INTEGER NOT NULL DEFAULT 0;  -- when it began to be awaited
UPDATE seats SET since = (SELECT max(acted, opened + lost + at) FROM tables t WHERE t.id = tbl) WHERE awaited;
CREATE INDEX seats_awaited ON seats (since) WHERE awaited AND skill IS NULL;

-- What the dictionary said at the deal, and how a server had changed it; both fixed from then on.
CREATE TABLE dictionaries (
    tbl   INTEGER PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    known BLOB NOT NULL,                  -- word: whether it is legal here
    asked BLOB NOT NULL                   -- question: answer
);

-- Whom a notice has called to the table; a seat that is awaited anew (another `since`) is called anew.
CREATE TABLE calls (
    tbl   INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat  INTEGER NOT NULL,
    since INTEGER NOT NULL,               -- table time, which no pause and no downtime moves
    stage INTEGER NOT NULL,               -- 1: called, 2: nudged, 3: the others were asked
    PRIMARY KEY (tbl, seat)
) WITHOUT ROWID;

CREATE TABLE servers (
    guild    INTEGER PRIMARY KEY,
    settings BLOB,                        -- NULL: as they come
    left_at  INTEGER                      -- when the bot was removed
);
