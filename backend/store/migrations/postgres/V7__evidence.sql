-- Items that are done only with evidence, which stands in the proposal.
ALTER TABLE item ADD COLUMN requires_evidence BOOLEAN NOT NULL DEFAULT false;
