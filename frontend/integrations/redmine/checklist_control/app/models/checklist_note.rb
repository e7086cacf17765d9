# frozen_string_literal: true

# Which note of an issue's history came from which entry of the checklist's journal (`entry:ID`) or
# which delivery (`delivery:ID`). A source has one note at most.
class ChecklistNote < ActiveRecord::Base
  belongs_to :issue
  belongs_to :journal, optional: true
end
