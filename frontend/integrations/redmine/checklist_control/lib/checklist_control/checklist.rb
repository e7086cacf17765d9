# frozen_string_literal: true

module ChecklistControl
  # The checklist of one issue: whether there is one, who may see and change it, and how the server
  # names it.
  class Checklist
    attr_reader :issue, :template

    def self.of(issue)
      new(issue, Configuration.current)
    end

    def initialize(issue, configuration)
      @issue = issue
      @object_type = configuration.object_type
      @template = configuration.template_for(issue) if configuration.complete?
    end

    def exists?
      template.present? && issue.project.present? && issue.project.module_enabled?(:checklists)
    end

    def visible_to?(user)
      exists? && issue.visible?(user) && allowed?(user, :view_checklists, :edit_checklists)
    end

    # The list of a closed issue is a record: it is read, and no longer changed.
    def editable_by?(user)
      visible_to?(user) && !issue.closed? && allowed?(user, :edit_checklists)
    end

    def waivable_by?(user)
      visible_to?(user) && !issue.closed? && allowed?(user, :waive_checklists)
    end

    # A new issue has no id yet. The server projects its list from the template, for any id.
    def context
      { ObjectType: @object_type, ObjectId: (issue.id || "new-#{SecureRandom.uuid}").to_s,
        Purpose: '', TemplateId: template }
    end

    # The same in a token, with what the conditions of templates can ask of an issue and what due dates
    # can count from. What is not set is no fact.
    def granted_context
      context.merge(Facts: facts)
    end

    private

    # The status is the one that the issue's page shows while it is being closed.
    def facts
      { Project: issue.project&.identifier, Tracker: issue.tracker&.name, Status: issue.status_was&.name,
        Priority: issue.priority&.name, Category: issue.category&.name, Created: issue.created_on&.utc&.iso8601 }.compact_blank
    end

    def allowed?(user, *permissions)
      permissions.any? { |permission| user.allowed_to?(permission, issue.project) }
    end
  end
end
