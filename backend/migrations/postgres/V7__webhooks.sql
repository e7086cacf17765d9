-- Webhooks: where events go, and each event on its way there.
--
-- A delivery is written in the transaction of the change that it tells of. What a webhook signs
-- with is sealed (vault). Times are milliseconds since 1970 UTC.

CREATE TABLE webhook (
    tenant        TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    id            TEXT COLLATE "C" NOT NULL,     -- UUID
    name          TEXT NOT NULL,
    url           TEXT NOT NULL,
    origin        TEXT NOT NULL,                 -- of the url: deliveries to one are counted together
    events        TEXT NOT NULL,                 -- JSON: names of events
    enabled       BOOLEAN NOT NULL,
    off_because   TEXT,                          -- why the server has turned it off
    failing_since BIGINT,                        -- the first failure since the last success
    key_id        TEXT NOT NULL,                 -- which key of the vault has sealed
    sealed        BYTEA NOT NULL,
    created_by    TEXT NOT NULL,
    revision      BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    PRIMARY KEY (tenant, id)
);

CREATE TABLE webhook_delivery (
    tenant       TEXT COLLATE "C" NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,      -- UUIDv7: a later one is greater
    webhook      TEXT COLLATE "C" NOT NULL,
    event        TEXT COLLATE "C" NOT NULL,
    body         TEXT NOT NULL,                  -- JSON, exactly as it is sent
    state        TEXT COLLATE "C" NOT NULL DEFAULT 'Pending',
    tries        BIGINT NOT NULL DEFAULT 0,      -- since it was made or replayed: how long it waits
    attempts     BIGINT NOT NULL DEFAULT 0,      -- in all
    last_status  BIGINT,
    last_failure TEXT,
    due_at       BIGINT NOT NULL,
    lease_until  BIGINT NOT NULL DEFAULT 0,      -- somebody is sending it
    fence        BIGINT NOT NULL DEFAULT 0,      -- grows with every claim
    created_at   BIGINT NOT NULL,
    settled_at   BIGINT,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, webhook) REFERENCES webhook (tenant, id) ON DELETE CASCADE
);

CREATE INDEX webhook_delivery_by_due ON webhook_delivery (tenant, webhook, due_at)
    WHERE state = 'Pending';
CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (tenant, webhook, id);

CREATE TABLE webhook_attempt (
    tenant   TEXT COLLATE "C" NOT NULL,
    delivery TEXT COLLATE "C" NOT NULL,
    number   BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    millis   BIGINT NOT NULL,
    status   BIGINT,
    failure  TEXT,
    PRIMARY KEY (tenant, delivery, number),
    FOREIGN KEY (tenant, delivery) REFERENCES webhook_delivery (tenant, id) ON DELETE CASCADE
);

DO $$
DECLARE
    guarded TEXT;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['webhook', 'webhook_delivery', 'webhook_attempt']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', guarded);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', guarded);
        EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant = current_setting(''app.tenant'', true))', guarded);
    END LOOP;
END
$$;

-- Whoever looks for work does not know yet whose it is: it sees that there is some, in the view
-- that credentials are judged in, and changes nothing there.
CREATE POLICY any_tenants_webhook ON webhook FOR SELECT
    USING (current_setting('app.sign_in', true) = 'on');
CREATE POLICY any_tenants_delivery ON webhook_delivery FOR SELECT
    USING (current_setting('app.sign_in', true) = 'on');
