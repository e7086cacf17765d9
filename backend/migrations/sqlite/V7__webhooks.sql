-- Webhooks: where events go, and each event on its way there.
--
-- A delivery is written in the transaction of the change that it tells of. What a webhook signs
-- with is sealed (vault). Times are milliseconds since 1970 UTC.

CREATE TABLE webhook (
    tenant        TEXT NOT NULL REFERENCES tenant (id),
    id            TEXT NOT NULL,             -- UUID
    name          TEXT NOT NULL,
    url           TEXT NOT NULL,
    origin        TEXT NOT NULL,             -- of the url: deliveries to one are counted together
    events        TEXT NOT NULL,             -- JSON: names of events
    enabled       INTEGER NOT NULL,
    off_because   TEXT,                      -- why the server has turned it off
    failing_since INTEGER,                   -- the first failure since the last success
    key_id        TEXT NOT NULL,             -- which key of the vault has sealed
    sealed        BLOB NOT NULL,
    created_by    TEXT NOT NULL,
    revision      INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_delivery (
    tenant       TEXT NOT NULL,
    id           TEXT NOT NULL,              -- UUIDv7: a later one is greater
    webhook      TEXT NOT NULL,
    event        TEXT NOT NULL,
    body         TEXT NOT NULL,              -- JSON, exactly as it is sent
    state        TEXT NOT NULL DEFAULT 'Pending',
    tries        INTEGER NOT NULL DEFAULT 0, -- since it was made or replayed: how long it waits
    attempts     INTEGER NOT NULL DEFAULT 0, -- in all
    last_status  INTEGER,
    last_failure TEXT,
    due_at       INTEGER NOT NULL,
    lease_until  INTEGER NOT NULL DEFAULT 0, -- somebody is sending it
    fence        INTEGER NOT NULL DEFAULT 0, -- grows with every claim
    created_at   INTEGER NOT NULL,
    settled_at   INTEGER,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, webhook) REFERENCES webhook (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_delivery_by_due ON webhook_delivery (tenant, webhook, due_at)
    WHERE state = 'Pending';
CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (tenant, webhook, id);

CREATE TABLE webhook_attempt (
    tenant   TEXT NOT NULL,
    delivery TEXT NOT NULL,
    number   INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    millis   INTEGER NOT NULL,
    status   INTEGER,
    failure  TEXT,
    PRIMARY KEY (tenant, delivery, number),
    FOREIGN KEY (tenant, delivery) REFERENCES webhook_delivery (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
