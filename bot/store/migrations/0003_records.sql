-- What finished games leave for lists of the best; whose a record is, its seat says.

CREATE TABLE records (
    tbl    INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat   INTEGER NOT NULL,
    course TEXT    NOT NULL,              -- what was played: records of one course are compared
    score  INTEGER NOT NULL,
    turns  INTEGER NOT NULL,              -- fewer are better
    detail BLOB    NOT NULL,              -- JSON, the game's own figures
    at     INTEGER NOT NULL,
    PRIMARY KEY (tbl, seat)
) WITHOUT ROWID;
CREATE INDEX records_course ON records (course, score);

CREATE INDEX messages_message ON messages (message); -- each deletion that Discord tells of is looked up here
