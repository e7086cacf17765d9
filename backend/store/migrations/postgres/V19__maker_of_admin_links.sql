-- Who has made a one-time link: a person, or an API key by the SHA-256 of its secret. Neither is the operator.
ALTER TABLE admin_link ADD COLUMN made_by_issuer TEXT COLLATE "C";
ALTER TABLE admin_link ADD COLUMN made_by_subject TEXT COLLATE "C";
ALTER TABLE admin_link ADD COLUMN made_by_api_key BYTEA;
