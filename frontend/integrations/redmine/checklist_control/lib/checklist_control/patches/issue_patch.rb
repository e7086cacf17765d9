# frozen_string_literal: true

module ChecklistControl
  module Patches
    # Issues are not closed before their checklists are completed, whatever saves them.
    module IssuePatch
      def self.prepended(base)
        base.validate :checklist_allows_closing, if: :closing_needs_checklist?
        base.before_save :stay_open_unless_checklist_allows, if: :closing_needs_checklist?
      end

      attr_accessor :checklist_progress

      private

      # Projects are copied with their closed issues.
      def closing_needs_checklist?
        closing? && !(new_record? && copy?)
      end

      def checklist_allows_closing
        reason = ChecklistControl::Gate.refusal(self)
        errors.add(:base, reason) if reason
        @checklist_checked_status = status_id
      end

      # Redmine closes duplicates of an issue without validating them.
      def stay_open_unless_checklist_allows
        return if @checklist_checked_status == status_id

        throw :abort if ChecklistControl::Gate.refusal(self)
      end
    end
  end
end
