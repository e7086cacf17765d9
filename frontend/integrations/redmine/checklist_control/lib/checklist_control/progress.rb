# frozen_string_literal: true

module ChecklistControl
  # How far the checklist of an issue is, for lists of issues. All issues of a page are read by one
  # call; a server that does not answer costs one timeout, and the cells say so.
  class Progress < Struct.new(:done, :total, :completed)
    UNAVAILABLE = new.freeze

    def self.load(issues, user = User.current)
      configuration = Configuration.current
      lists = issues.map { |issue| Checklist.new(issue, configuration) }.select { |list| list.visible_to?(user) }
      return if lists.empty?

      Client.new(configuration).summaries(lists.map(&:granted_context)).zip(lists) do |answer, list|
        list.issue.checklist_progress = of(answer)
      end
    rescue Client::Unavailable => e
      Rails.logger.error("Checklist Control: progress could not be read: #{e.message}")
      lists.each { |list| list.issue.checklist_progress = UNAVAILABLE }
    end

    def self.of(answer)
      counts = answer['Counts'] or return UNAVAILABLE
      new(counts['Done'], counts['Total'] - counts['NotApplicable'], answer['Completed'])
    end

    def available?
      !total.nil?
    end

    def percent
      total.to_i.zero? ? 0 : done * 100 / total
    end

    def to_s
      available? ? "#{done}/#{total}" : I18n.t(:text_checklist_unavailable)
    end
  end
end
