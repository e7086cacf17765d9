-- What people are sorted by: the name without case and accents, which the program computes (sort_name.rs).
-- NULL until it has.
ALTER TABLE person ADD COLUMN sort_name TEXT COLLATE "C";

CREATE INDEX person_by_name ON person (tenant, sort_name, issuer, subject);
