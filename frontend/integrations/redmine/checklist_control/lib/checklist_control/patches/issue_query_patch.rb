# frozen_string_literal: true

module ChecklistControl
  module Patches
    # The column "Checklist" of lists of issues.
    module IssueQueryPatch
      COLUMN = :checklist_progress

      def self.add_column
        return if IssueQuery.available_columns.any? { |column| column.name == COLUMN }

        IssueQuery.available_columns << QueryColumn.new(COLUMN, caption: :label_checklist)
      end

      def issues(options = {})
        super.tap { |issues| ChecklistControl::Progress.load(issues) if has_column?(COLUMN) }
      end
    end
  end
end
