# frozen_string_literal: true

module ChecklistControl
  module Patches
    # Draws the column as Redmine draws "% Done".
    module QueriesHelperPatch
      def column_value(column, item, value)
        return super unless column.name == IssueQueryPatch::COLUMN && value
        return content_tag(:span, value.to_s, class: 'checklist-unavailable') unless value.available?

        progress_bar(value.percent, legend: value.to_s)
      end
    end
  end
end
