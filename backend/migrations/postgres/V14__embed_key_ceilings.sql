-- The most that the tokens of an embed key may allow, whatever they claim, and the only issuer that
-- they may name. A key without permissions of its own allows the work on lists.
ALTER TABLE embed_key ADD COLUMN issuer TEXT;
ALTER TABLE embed_key ADD COLUMN permissions TEXT;  -- JSON: array
ALTER TABLE embed_key ADD COLUMN contexts TEXT;     -- JSON: array

-- What a person was given before this time has ended: it moves when they are kept out and when they
-- are let in again.
ALTER TABLE person ADD COLUMN epoch BIGINT NOT NULL DEFAULT 0;
