-- Items whose status another system reports, and the systems that a key may speak for.
ALTER TABLE item ADD COLUMN signal TEXT;       -- JSON: source, key, and the last report
ALTER TABLE api_key ADD COLUMN sources TEXT;   -- JSON: array
