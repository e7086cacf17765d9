-- Lists that may pass although items are open.
ALTER TABLE checklist ADD COLUMN waived TEXT;      -- JSON: who, when, why
