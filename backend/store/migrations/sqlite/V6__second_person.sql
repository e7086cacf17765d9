-- Items that one person does and another one confirms. Who did it stands in the proposal.
ALTER TABLE item ADD COLUMN second_person INTEGER NOT NULL DEFAULT 0;
