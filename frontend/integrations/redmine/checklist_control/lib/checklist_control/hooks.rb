# frozen_string_literal: true

module ChecklistControl
  # Places the checklist on an issue's page, below its description, outside of the forms that
  # Redmine replaces while somebody edits the issue.
  class Hooks < Redmine::Hook::ViewListener
    def view_issues_show_description_bottom(context)
      list = Checklist.of(context[:issue])
      return '' unless list.visible_to?(User.current)

      context[:hook_caller].render(
        partial: 'checklist_control/issue', locals: { list: list, configuration: Configuration.current }
      )
    end
  end
end
