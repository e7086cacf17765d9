-- Items that ask for an answer. The answer is in the proposal.
ALTER TABLE item ADD COLUMN answer_format TEXT;       -- JSON
