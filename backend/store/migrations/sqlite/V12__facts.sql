-- What the host says of the objects of lists, by which items of templates apply.
ALTER TABLE checklist ADD COLUMN facts TEXT;       -- JSON: object of texts, numbers and booleans
